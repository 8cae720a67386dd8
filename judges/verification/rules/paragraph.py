"""The numbers of the methods paragraph as they are printed, and as they are counted again."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from common.figures import FIGURES
from judges.prejudging.rules.decided_by import PARTS
from judges.release.rules.methods import SETTLED_BY
from judges.verification.rules.differences import Number, Numbers
from judges.verification.rules.facts import PREJUDGED, ROUTED, Facts
from judges.verification.rules.recount.votes import count_labels, recount_agreement

# The rule for missing votes of the paragraph.
RULE = "own-category"
COEFFICIENTS = ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1")

COUNT = r"[\d,]+"
SHARE = r"(?P<share>[\d.]+)%(?: \((?P<low>[\d.]+)–(?P<high>[\d.]+)\))?"
COEFFICIENT = r"(?P<value>-?[\d.]+)(?: \((?P<low>-?[\d.]+)(?:–| to )(?P<high>-?[\d.]+)\))?"
# What is no count: signatures, versions, texts in quotation marks, how sure intervals are, what a lead chose.
SILENT = re.compile(
    r"\[[^\]]*\]|“[^”]*”|\(gold version [^)]*\)|95%|with probability [\d.]+|audit share [\d.]+"
    r"|(?:allows an error rate of at most|because the interval includes) [\d.]+%"
    r"|with [\d.]+% confidence|(?:et al\.|Zrnic) 20\d\d|In 95 of 100 studies"
)
A_NUMBER = re.compile(r"(?<![\w.\-+])\d[\d,]*(?:\.\d+)?(?![\w\-])")

Patterns: TypeAlias = Iterator[tuple[str, str]]


class Signed(NamedTuple):
    """A judge of the report by its own signature."""

    key: str
    name: str
    signature: str


def judges_of(report: Mapping[str, Any]) -> list[Signed]:
    """Return the programs among a report's judges."""
    rows = report.get("judges", [])
    return [Signed(row["key"], row["name"], row["signature"]) for row in rows if row.get("run")]


def labels_of(report: Mapping[str, Any]) -> dict[str, str]:
    """Return what a report calls each system, by its short name."""
    return {row["name"]: row["label"] for row in report.get("systems", [])}


def read_paragraph(
    text: str, *, facts: Facts, judges: Iterable[Signed], labels: Mapping[str, str]
) -> Numbers:
    """Return every number of a paragraph by its place; what no sentence explains stands under its words.

    labels: of systems, by their short names.
    """
    judges = list(judges)
    found: dict[str, Number] = {}
    covered = [match.span() for match in SILENT.finditer(text)]
    names = [judge.name for judge in judges] + [rule.text for rule in facts.study.rules]
    names += [routing.text for routing in facts.study.routings]
    names += [f" {label} " for label in labels.values()]
    for name in names:
        covered += [match.span() for match in re.finditer(re.escape(name), text)]
    for place, pattern in [*_patterns(facts, judges), *_of_scores(labels)]:
        for match in re.finditer(pattern, text):
            for group, value in match.groupdict().items():
                if value is not None:
                    found[f"methods › {place} › {group}"] = float(value.replace(",", ""))
                    covered.append(match.span(group))
    for match in A_NUMBER.finditer(text):
        if not any(start <= match.start() < end for start, end in covered):
            words = text[max(0, match.start() - 30) : match.end() + 10]
            found[f"methods › “{words}”"] = float(match[0].replace(",", ""))
    return found


def _patterns(facts: Facts, judges: Iterable[Signed]) -> Patterns:
    yield (
        "judged questions",
        rf"The study has (?P<questions>{COUNT}) judged questions?(?: \(of (?P<all_questions>{COUNT})\))? "
        rf"with (?P<answers>{COUNT}) distinct answers?(?: from (?P<systems>{COUNT}) systems?)?\.",
    )
    yield "pooled", rf"judged once(?: within a group)?, except for (?P<kept_apart>{COUNT}) that the files"
    yield "improper", rf"(?:Annotators|Raters) removed (?P<questions>{COUNT}) questions? from all scores"
    yield "judged", rf"People judged answers to (?P<questions>{COUNT}) of (?P<of>{COUNT}) questions?"
    for key, words in SETTLED_BY.items():
        yield "settled", rf"(?P<{key}>{COUNT}) {re.escape(words)}"
    yield "decided by", rf"Of the (?P<answers>{COUNT}) distinct answers?,"
    for key, words in PARTS.items():
        yield "decided by", rf"(?P<{key}>{COUNT}) (?:was |were )?{re.escape(words)}"
    yield from _of_audit(facts)
    yield "routing", rf"(?P<weighed>{COUNT}) answers? went to one (?:annotator|rater) first"
    yield (
        "routing",
        rf"(?P<stopped>{COUNT}) ended there(?:, with|\. Overall, there were) "
        r"(?P<labels_an_answer>[\d.]+) labels per answer",
    )
    yield (
        "routing",
        rf"(?P<changed>{COUNT}) of (?P<decided>{COUNT}) ended with a (?:different label|label different)",
    )
    yield "routing › residual", r"at most (?P<high>[\d.]+)% of all answers judged in this way"
    yield "sampled", rf"Scores of (?P<systems>{COUNT}) systems? over all questions"
    yield "sampled", rf"those verdicts on (?P<labels>{COUNT}) judged answers?"
    yield (
        "agreement › observed",
        rf"First-round (?:annotators|raters) agreed on {SHARE} of (?P<items>{COUNT}) answers?",
    )
    for name in COEFFICIENTS:
        words = re.escape(FIGURES[name].plain)
        pi = r"(?: \(with two (?:annotators|raters), Scott’s π\))?"
        yield f"agreement › {name}", rf"{words}{pi}(?: was)? {COEFFICIENT}"
    yield "agreement", rf"AC1 counts (?P<ac1_labels>{COUNT}) labels"
    yield "gold", rf"The (?P<original>{COUNT}) gold answers? did not change"
    yield (
        "gold",
        rf"added (?P<added>{COUNT}) answers? to the (?P<original>{COUNT}) gold answers and removed "
        rf"(?P<removed>{COUNT}) \(",
    )
    for judge in judges:
        signature = re.escape(f"[{judge.signature}]")
        unscored = rf"(?:, (?P<unscored>{COUNT}) unscored)?"
        yield f"judges › {judge.key}", rf"{SHARE} of (?P<n>{COUNT}){unscored} {signature}"


def _of_scores(labels: Mapping[str, str]) -> Patterns:
    for name, label in labels.items():
        yield f"scores › {name}", rf"[:;] {re.escape(label)} {SHARE} of (?P<n>{COUNT})(?=[;.])"


def _of_audit(facts: Facts) -> Patterns:
    yield (
        "audit",
        rf"settled (?P<settled>{COUNT}) of (?P<answers>{COUNT}) (?:distinct )?answers?"
        r"(?: \((?P<share>[\d.]+)%\))? without people",
    )
    # Reports of earlier versions are read, too: they say the count, and of whom figures are, in other words.
    yield "audit", rf"(?:at random and unmarked: |In total, )(?P<drawn>{COUNT}) (?:was|were)\b"
    yield (
        "audit › disagreed",
        rf"People disagreed with the rules on {SHARE} of (?:the )?(?P<decided>{COUNT}) that they decided",
    )
    if len(facts.study.rules) == 1:
        yield "audit › disagreed", rf"and the audit found {SHARE}\. This"
    yield "audit", rf"(?:no matter which|whichever) of the (?P<watched>{COUNT}) rules"
    yield "audit", rf"(?P<unaudited>{COUNT}) answers? settled by automatic judges could not be audited"
    yield "audit", rf"Corrected scores of (?P<corrected>{COUNT}) of (?P<systems>{COUNT}) systems"
    yield "audit", rf"Figures (?:for|of) judges leave out (?P<left_out>{COUNT}) answers?"
    for rule in facts.study.rules:
        text = re.escape(rule.text)
        yield f"audit › {rule.text}", rf"{text}(?:, | \()(?P<settled>{COUNT})\)?(?=[;.])"
        yield (
            f"audit › {rule.text}",
            rf"{text}(?:, | \()(?P<disagreed>{COUNT}) of (?P<decided>{COUNT})(?=[;)])",
        )


def recount_paragraph(facts: Facts, recounted: Numbers, judges: Iterable[Signed]) -> Numbers:
    """Return the numbers of the paragraph by place, rounded as it prints them; recounted: the report's."""
    found = dict(_of_sample(facts))
    found["pooled › kept_apart"] = _kept_apart(facts) or None
    found |= _agreement(facts)
    found |= _decided_by(facts)
    if facts.study.settled:
        found |= _audit(facts, recounted)
    found |= _routing(recounted)
    found |= _sampled(recounted)
    found |= _gold(facts)
    found |= _scores(recounted)
    for judge in judges:
        found |= _judge(judge, recounted)
    return {f"methods › {place}": value for place, value in found.items() if value is not None}


def _of_sample(facts: Facts) -> Iterator[tuple[str, Number]]:
    questions = facts.study.questions
    sample = [each for each in questions if each.in_sample]
    answers = [answer for answer in facts.study.answers if facts.is_compared(answer)]
    if not sample:
        return
    yield "judged questions › questions", len(sample)
    yield "judged questions › all_questions", len(questions) if len(questions) > len(sample) else None
    yield "judged questions › answers", len(answers)
    yield "judged questions › systems", len(facts.study.systems) or None
    yield "improper › questions", len(facts.improper) or None
    proper = {each.id for each in sample} - facts.improper
    judged = {
        answer.question for answer in facts.study.answers if facts.people_say(answer.id) is not None
    } & proper
    if 0 < len(judged) < len(proper):
        yield "judged › questions", len(judged)
        yield "judged › of", len(proper)
    sources = Counter(
        decision.source for answer in answers if (decision := facts.decisions.get(answer.id)) is not None
    )
    yield from ((f"settled › {key}", sources[key]) for key in SETTLED_BY if sources[key])


def _decided_by(facts: Facts) -> Numbers:
    """Count all answers by who decided them; nothing where pre-judging had no part."""
    audited = {each.answer for each in facts.study.settled if each.is_drawn}
    calibrated = {each.answer for each in facts.study.calibrated}
    parts = Counter[str]()
    for answer in filter(facts.is_compared, facts.study.answers):
        decision = facts.decisions.get(answer.id)
        if decision is None:
            parts["open"] += 1
        elif decision.source in (PREJUDGED, ROUTED):
            parts["settled" if decision.source == PREJUDGED else "routed"] += 1
        elif answer.id in audited:
            parts["audited"] += 1
        else:
            parts["calibrated" if answer.id in calibrated else "others"] += 1
    if not (parts["settled"] or parts["audited"] or parts["calibrated"]):
        return {}
    counts = {"answers": parts.total(), **parts}
    return {f"decided by › {part}": count for part, count in counts.items()}


def _kept_apart(facts: Facts) -> int:
    """Count the answers people judge that the project's pooling holds equal to another of their question."""
    sizes = Counter(
        (answer.question, answer.pool)
        for answer in facts.study.answers
        if answer.is_asked
        and facts.questions[answer.question].in_sample
        and answer.question not in facts.improper
    )
    return sum(size for size in sizes.values() if size > 1)


def _printed(value: Number, digits: int, scale: float = 1.0) -> Number:
    return None if value is None else float(f"{scale * value:.{digits}f}")


def _with_ends(
    place: str, name: str, value: Number, ends: tuple[Number, Number], digits: int, scale: float = 1.0
) -> Numbers:
    if value is None:
        return {}
    low, high = (_printed(end, digits, scale) for end in ends)
    found = {name: _printed(value, digits, scale), "low": low, "high": high}
    return {f"{place} › {key}": each for key, each in found.items() if each is not None}


def _agreement(facts: Facts) -> Numbers:
    numbers = recount_agreement(facts, RULE)
    place = f"agreement › {RULE}"

    def ends(name: str) -> tuple[Number, Number]:
        low, high = (numbers.get(f"{place} › interval › {name} › {end}") for end in (1, 2))
        return low, high

    observed = numbers.get(f"{place} › observed_agreement")
    if observed is None:
        return {}
    name = "observed_agreement"
    found = _with_ends("agreement › observed", "share", observed, ends(name), 1, 100)
    found["agreement › observed › items"] = numbers[f"{place} › items"]
    for name in COEFFICIENTS:
        value = numbers.get(f"{place} › {name}")
        found |= _with_ends(f"agreement › {name}", "value", value, ends(name), 3)
    if numbers.get(f"{place} › distribution › missing"):
        found["agreement › ac1_labels"] = count_labels(facts, RULE)
    return found


def _audit(facts: Facts, recounted: Numbers) -> Numbers:
    def number(name: str, rule: str = "") -> Number:
        return recounted.get(f"prejudging › {f'rules › {rule} › ' if rule else ''}{name}")

    answers = sum(facts.is_compared(answer) for answer in facts.study.answers)
    settled, drawn, unaudited = (number(name) or 0 for name in ("settled", "drawn", "unaudited"))
    found: dict[str, Number] = {"audit › settled": settled, "audit › answers": answers}
    found["audit › share"] = float(f"{settled / answers:.1%}".rstrip("%")) if answers else None
    spoken = {each.rule for each in facts.study.settled}
    found |= {f"audit › {rule} › settled": number("settled", rule) for rule in spoken}
    found["audit › unaudited"] = unaudited or None
    if unaudited >= settled + drawn:
        return found
    found["audit › drawn"] = drawn
    share = number("disagreed_share")
    if share is None:
        return found
    ends = (number("interval › 1"), number("interval › 2"))
    found |= _with_ends("audit › disagreed", "share", share, ends, 1, 100)
    found["audit › disagreed › decided"] = number("decided")
    watched = number("watched") or 0
    found["audit › watched"] = watched if watched > 1 else None
    for rule in spoken:
        if number("decided", rule):
            found[f"audit › {rule} › disagreed"] = number("disagreed", rule)
            found[f"audit › {rule} › decided"] = number("decided", rule)
    scores = [place for place in recounted if re.fullmatch(r"systems › .* › scores › corrected › n", place)]
    # A sample that is estimated from corrects all scores, and the audit's sentence is left out.
    if 0 < len(scores) < len(facts.study.systems) and not _sampled(recounted):
        found |= {"audit › corrected": len(scores), "audit › systems": len(facts.study.systems)}
    found["audit › left_out"] = facts.left_out or None
    return found


def _routing(recounted: Numbers) -> Numbers:
    def number(name: str) -> Number:
        return recounted.get(f"routing › {name}")

    found: dict[str, Number] = {name: number(name) for name in ("weighed", "stopped")}
    found["labels_an_answer"] = _printed(number("labels_an_answer"), 2)
    if number("decided"):
        found |= {name: number(name) for name in ("changed", "decided")}
        found["residual › high"] = _printed(number("residual › high"), 1, 100)
    return {f"routing › {name}": each for name, each in found.items()}


def _sampled(recounted: Numbers) -> Numbers:
    """Count the systems whose score of all questions is estimated, and their labels."""
    sized = "entire › "
    known = [
        place.split(" › ")[2]
        for place in recounted
        if place.startswith("corrected › systems › ") and place.endswith(" › people_only › value")
    ]
    labels = sum(int(recounted[f"corrected › systems › {system} › labels"] or 0) for system in known)
    is_entire = any(
        recounted.get(f"{sized}{system} › n") == recounted[f"corrected › systems › {system} › n"]
        and recounted.get(f"systems › {system} › n") != recounted[f"corrected › systems › {system} › n"]
        for system in known
    )
    return {"sampled › systems": len(known), "sampled › labels": labels} if is_entire else {}


def _scores(recounted: Numbers) -> Numbers:
    """Return people’s scores: corrected ones where there are any, else those of a decided study."""
    board = "entire" if _sampled(recounted) else "systems"
    is_corrected = any(re.fullmatch(rf"{board} › .* › scores › corrected › n", place) for place in recounted)
    is_settled = any(re.fullmatch(rf"{board} › .* › scores › settled › n", place) for place in recounted)
    if not is_corrected and (is_settled or not recounted.get("all_decided")):
        return {}
    way = "corrected" if is_corrected else "human"
    found: Numbers = {}
    for place, n in recounted.items():
        if match := re.fullmatch(rf"({board} › (.*) › scores › {way}) › n", place):
            own, system = match.groups()
            low, high = (recounted.get(f"{own} › interval › {end}") for end in (1, 2))
            found |= _with_ends(
                f"scores › {system}", "share", recounted.get(f"{own} › accuracy"), (low, high), 1, 100
            )
            found[f"scores › {system} › n"] = n
    return found


def _gold(facts: Facts) -> Numbers:
    original = sum(len(question.golds) for question in facts.study.questions)
    actions = Counter(change.action for change in facts.study.changes if not change.is_undone)
    added, removed = actions["added"], actions["removed"]
    if not original and not added:
        return {}
    if not added and not removed:
        return {"gold › original": original}
    return {"gold › original": original, "gold › added": added, "gold › removed": removed}


def _judge(judge: Signed, recounted: Numbers) -> Numbers:
    place = f"judges › {judge.key}"
    counts = [int(recounted.get(f"{place} › {cell}") or 0) for cell in ("tp", "fn", "fp", "tn", "unscored")]
    low, high = (recounted.get(f"{place} › intervals › accuracy_all › {end}") for end in (1, 2))
    found = _with_ends(place, "share", recounted.get(f"{place} › accuracy_all"), (low, high), 1, 100)
    return found | {f"{place} › n": sum(counts), f"{place} › unscored": counts[-1] or None}
