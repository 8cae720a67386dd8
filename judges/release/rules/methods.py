"""The methods paragraph, from the facts of a study."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.agreement.rules.measures import AC1, FLEISS, MISSING, OBSERVED
from annotation.projects.rules import DecisionRule, Protocol, TieBreak
from annotation.release.rules import count_of
from common.figures import FIGURES, share_with_interval, with_interval, words_of
from judges.comparison.rules.weights import Reach
from judges.release.rules.facts import JudgeFacts, LeadFacts, PreparedFacts, StudyFacts
from judges.release.rules.settled import settled_words
from judges.release.rules.words import (
    NUMBERS,
    check_words,
    decision_words,
    gold_words,
    joined,
    passage_words,
    raters_words,
    word_of,
)

POOLED = {
    "exact": "Equal answers from different systems",
    "casefold": "Answers from different systems that differed only in case",
    "normalized": "Answers from different systems that were equal after normalization (SQuAD)",
}
# Some providers give every reply a fingerprint of its own.
MOST_SERVED = 3

PRESETS = {
    "openqa-eval": "OpenQA-eval",
    "openqa-eval-3": "OpenQA-eval (three annotators)",
    "efficientqa": "EfficientQA",
    "evouna": "EVOUNA",
}
SETTLED_BY = {
    "unanimous": "by unanimous vote",
    "majority": "by the protocol’s decision rule after annotators disagreed",
    "routed": "by one annotator and a judge that agreed",
    "adjudicated": "by the lead or an adjudicator",
    "prejudged": "by automatic judges",
    "imported": "by an imported file",
    "reused": "by a decision from another project",
}
FURTHER = frozenset({TieBreak.THIRD_RATER, TieBreak.MORE_RATERS})


@dataclass(frozen=True)
class Methods:
    """The methods section in plain text.

    `text`: one paragraph. `paragraphs`: the same in short paragraphs, with the signatures in the last.
    `missing`: what must still be done before it is complete, one sentence each.
    """

    text: str
    paragraphs: tuple[str, ...]
    missing: tuple[str, ...]


def write_methods(facts: StudyFacts) -> Methods:
    """Say how the study was judged and what came out; one that is not judged to the end says so first."""
    missing = tuple(_missing(facts))
    parts = (
        [*_standing(facts), *_protocol(facts), *_prepared(facts.prepared)],
        [*_counts(facts)],
        [*settled_words(facts)],
        [*_agreement(facts)],
        [*_gold(facts), *_scores(facts), *_lead(facts)],
        [*_judges(facts)],
    )
    paragraphs = tuple(" ".join(part) for part in parts if part)
    return Methods(" ".join(paragraphs), tuple(_signed_last(paragraphs, facts)), missing)


def _signed_last(paragraphs: Sequence[str], facts: StudyFacts) -> Iterator[str]:
    """Yield paragraphs whose signatures and gold version stand together at the end, out of the prose."""
    version = f" (gold version {facts.gold.version})"
    found = {judge.name: judge.signature for judge in facts.judges}
    if any(version in each for each in paragraphs):
        found["gold list"] = facts.gold.version
    for paragraph in paragraphs:
        prose = paragraph.replace(version, "")
        for judge in facts.judges:
            prose = prose.replace(f" [{judge.signature}]", "")
        yield prose
    if found:
        yield f"Signatures: {'; '.join(f'{name} [{signature}]' for name, signature in found.items())}."


def _standing(facts: StudyFacts) -> Iterator[str]:
    # A released file of decisions is judged to the end, though no systems or judges came with it.
    if facts.protocol is None or not facts.answers or facts.undecided:
        yield "Preliminary: this study is not finished."


def _missing(facts: StudyFacts) -> Iterator[str]:
    if facts.protocol is None:
        yield "The study has no protocol yet."
    if not facts.questions:
        yield "No questions have been imported yet."
    if not facts.systems:
        yield "No systems’ answers have been imported yet."
    if facts.undecided:
        are = "is" if facts.undecided == 1 else "are"
        yield f"{facts.undecided:,} of {count_of(facts.answers, 'distinct answer')} {are} not decided yet."
    observed = facts.agreement.figures[OBSERVED]
    # Once everything is decided no votes are to come: a released file of decisions has none.
    if facts.undecided and observed.value is None and not _has_one_rater(facts.protocol):
        yield f"Agreement is not known yet: {words_of(observed)}"
    if not facts.judges:
        yield "No judge has a verdict on a decided answer yet."


def _has_one_rater(protocol: Protocol | None) -> bool:
    return protocol is not None and protocol.raters_per_answer == 1


def _protocol(facts: StudyFacts) -> Iterator[str]:
    protocol = facts.protocol
    if protocol is None:
        return
    labels = joined([label.name.lower() for label in protocol.labels], "or")
    name = PRESETS.get(protocol.preset, protocol.preset)
    raters = raters_words(
        protocol, shares_with_programs=facts.audit is not None, may_stop=facts.routing is not None
    )
    under = f"under the {name} protocol as set up in Assay"
    if facts.audit is None:
        yield f"People judged answers {under}."
    elif facts.is_judged_by_people:
        yield f"People judged answers {under}, except those that automatic judges settled."
    else:
        yield (
            "Automatic judges settled answers, and people have not decided any yet. People judge the "
            f"other answers {under}."
        )
    yield (
        f"{raters} as {labels}, without seeing the system, other annotators’ labels, or any judge’s "
        f"verdict; {_decided_words(protocol, facts)}."
    )
    yield f"{gold_words(protocol)}."
    if passages := passage_words(protocol):
        yield f"{passages}."
    if protocol.question_checks:
        asked = "; ".join(check_words(check) for check in protocol.question_checks)
        yield f"Annotators were also asked about each question: {asked}."
    within = " within a group" * protocol.pool_within_groups
    yield f"{POOLED[facts.pooling]} were judged once{within}{_apart_words(facts.kept_apart)}."


# By the rule for lists of predictions: what became of a list.
_OF_LISTS = {
    "first": "only the first prediction was judged",
    "joined": "the predictions were joined and judged as one answer",
    "split": "each prediction was judged separately, but only the first was scored",
}


def _prepared(prepared: PreparedFacts) -> Iterator[str]:
    if prepared.is_cleaned:
        yield "Chat formatting and filler were removed from answers before judging."
    if prepared.is_repaired:
        yield (
            "Text in the imported files that was garbled by a wrong encoding (UTF-8 read as Windows-1252) "
            "was repaired."
        )
    rules = [_OF_LISTS[rule] for rule in prepared.list_rules if rule in _OF_LISTS]
    if rules:
        several = "imports used different rules: " * (len(rules) > 1)
        yield f"If a system gave a list of predictions, {several}{'; '.join(rules)}."


def _decided_words(protocol: Protocol, facts: StudyFacts) -> str:
    """Say how votes became decisions; of what the protocol foresees only what happened."""
    if protocol.decision_rule is not DecisionRule.MAJORITY:
        return decision_words(protocol)
    if protocol.tie_break in FURTHER and not facts.further:
        return "no answer went to another annotator"
    if protocol.tie_break is TieBreak.LEAD and not facts.sources.get("adjudicated"):
        return "no answer was decided by the lead or an adjudicator"
    return decision_words(protocol)


def _apart_words(kept_apart: int) -> str:
    if not kept_apart:
        return ""
    return f", except for {kept_apart:,} that the files listed as separate rows, which were judged separately"


def _counts(facts: StudyFacts) -> Iterator[str]:
    if not facts.questions:
        return
    out_of = f" (of {facts.all_questions:,})" if facts.all_questions > facts.questions else ""
    of_systems = f" from {count_of(facts.systems, 'system')}" if facts.systems else ""
    yield (
        f"The study has {count_of(facts.questions, 'judged question')}{out_of} with "
        f"{count_of(facts.answers, 'distinct answer')}{of_systems}."
    )
    if facts.improper:
        yield f"Annotators removed {count_of(facts.improper, 'question')} from all scores."
    if 0 < facts.judged_questions < facts.scored_questions:
        so_far = " so far" if facts.audit is None and facts.undecided else ""
        rest = (
            "; on the other questions, systems are scored by exact match with the amended gold list"
            if facts.audit is None and facts.systems
            else ""
        )
        yield (
            f"People judged answers to {facts.judged_questions:,} of "
            f"{count_of(facts.scored_questions, 'question')}{so_far}{rest}."
        )
    settled = [
        f"{facts.sources[key]:,} {words}" for key, words in SETTLED_BY.items() if facts.sources.get(key)
    ]
    if settled:
        yield f"The answers were decided as follows: {joined(settled, 'and')}."


def _agreement(facts: StudyFacts) -> Iterator[str]:
    report = facts.agreement
    observed = report.figures[OBSERVED]
    if observed.value is None:
        if _has_one_rater(facts.protocol):
            yield "Each answer has one annotator, so annotators’ agreement is not measured."
        elif facts.answers and not facts.undecided:
            yield "No answer has votes from two annotators, so annotators’ agreement is not measured."
        return
    figures = {
        name: with_interval(report.figures[name], digits=3) for name in (FLEISS, "krippendorff_alpha", AC1)
    }
    pi = "" if report.raters > 2 else " (with two annotators, Scott’s π)"
    fleiss, alpha, ac1 = (FIGURES[name].plain for name in figures)
    yield (
        f"First-round annotators agreed on {share_with_interval(observed)} of "
        f"{count_of(report.items, 'answer')}; {fleiss}{pi} was {figures[FLEISS]}, {alpha} "
        f"{figures['krippendorff_alpha']}, and {ac1} {figures[AC1]} (in parentheses: 95% intervals over "
        "questions)."
    )
    if report.distribution.get(MISSING):
        yield f"AC1 counts {report.ac1_labels} labels, one of them for missing votes."
    yield report.rule_text


def _gold(facts: StudyFacts) -> Iterator[str]:
    gold = facts.gold
    if not gold.original and not gold.added:
        return
    if not gold.added and not gold.removed:
        yield f"The {count_of(gold.original, 'gold answer')} did not change after import."
        return
    decisions = (
        "The decisions" if facts.audit is None else "The decisions, including those of automatic judges,"
    )
    yield (
        f"{decisions} added {count_of(gold.added, 'answer')} to the {gold.original:,} gold answers and "
        f"removed {gold.removed:,} (gold version {gold.version})."
    )


def _scores(facts: StudyFacts) -> Iterator[str]:
    if facts.scores is None:
        return
    said = "; ".join(
        f"{label} {share_with_interval(score)} of {n:,}" for label, score, n in facts.scores.systems
    )
    yield (
        f"Scores by “{facts.scores.column}” (share of questions answered correctly, 95% intervals over "
        f"questions): {said}."
    )
    is_sampled = facts.audit is not None or facts.sampled is not None
    sampled = " and in the sampling of answers for people to judge" * is_sampled
    yield (
        f"These intervals account for chance in the choice of questions{sampled}. They do not cover "
        "annotators’ mistakes or questions of another kind."
    )


TESTED = "(pairwise tests, Holm-corrected)"


def _lead(facts: StudyFacts) -> Iterator[str]:
    """Say whether the best system is significantly better than the others.

    Numbers are in letters: the paragraph's figures are all counted again, and these are no figures of it. A
    system's name stands between spaces, where `verify` looks for names with digits.
    """
    lead = facts.lead
    if lead is None or facts.scores is None or len(facts.scores.systems) < 2:
        return
    first, *tied = lead.leaders
    if not tied and not lead.rivals and not lead.worse:
        who, are = ("system", "is") if lead.unranked == 1 else ("systems", "are")
        yield f"The other {who} answered fewer questions than {first} did and {are} not compared with it."
        return
    among = "Among systems that answered the same questions, " if lead.unranked else ""
    if tied:
        yield f"{among}{_tied_words(lead, is_first_word=not among)}."
    elif lead.rivals:
        yield f"{among}{first} has the highest score. {_beside_first(lead)} {TESTED}."
    else:
        yield f"{first} scores significantly higher than {_all_others(lead)} {TESTED}."
    if lead.unranked:
        are = "is" if lead.unranked == 1 else "are"
        yield f"{_others(lead.unranked).capitalize()} answered fewer questions and {are} not ranked."


def _tied_words(lead: LeadFacts, *, is_first_word: bool) -> str:
    """Say who is tied, by name where they are two, and how the others stand beside all of them."""
    count = len(lead.leaders)
    several = f"{_in_letters(count)} systems"
    who = joined(lead.leaders, "and") if count == 2 else several.capitalize() if is_first_word else several
    tied = f"{who} are tied for the highest score"
    all_of_them = "both" if count == 2 else "all of them"
    if not lead.rivals and not lead.worse:
        return tied
    if not lead.rivals:
        return f"{tied}, and {all_of_them} score significantly higher than {_all_others(lead)} {TESTED}"
    do = "does" if lead.rivals == 1 else "do"
    level = f"{_others(lead.rivals).capitalize()} {do} not differ significantly from at least one of them"
    if not lead.worse:
        return f"{tied}. {level} {TESTED}"
    lower = f"{_in_letters(lead.worse)} score{'s' * (lead.worse == 1)} significantly lower than {all_of_them}"
    return f"{tied}. {level}, and {lower} {TESTED}"


def _beside_first(lead: LeadFacts) -> str:
    do = "does" if lead.rivals == 1 else "do"
    level = f"{_others(lead.rivals).capitalize()} {do} not differ significantly from it"
    if not lead.worse:
        return level
    return f"{level}, and {_in_letters(lead.worse)} score{'s' * (lead.worse == 1)} significantly lower"


def _all_others(lead: LeadFacts) -> str:
    if lead.unranked:
        return f"the {_others(lead.worse)} that answered the same questions"
    return "the other system" if lead.worse == 1 else "every other system"


def _others(count: int) -> str:
    return f"{_in_letters(count)} other system{'s' * (count > 1)}"


def _in_letters(count: int) -> str:
    return word_of(count) if count < len(NUMBERS) else "ten or more"


# What stands in brackets where judged questions were drawn at random.
_OF_DRAWN: Mapping[Reach, str] = {
    Reach.RANDOM: "estimated for all questions from a random sample, ",
    Reach.WEIGHED: "estimated for all questions, each weighted by the inverse of its sampling probability, ",
}


def _judges(facts: StudyFacts) -> Iterator[str]:
    if not facts.judges:
        return
    said = "; ".join(map(_judge, facts.judges))
    weights = _OF_DRAWN.get(facts.reach, "")
    weights += (
        ""
        if facts.audit is None
        else "audited answers weighted by the inverse of their sampling probability, "
    )
    if facts.audit is not None and not facts.audit.pooled.decided:
        weights = (
            f"{_OF_DRAWN.get(facts.reach, '')}except those that automatic judges settled, because no "
            "audited answer is decided yet; "
        )
    yield (
        "Automatic judges agreed with people’s decisions as follows (share of all decided answers, "
        f"{weights}unscored answers counted as errors, 95% intervals over questions): {said}."
    )
    if facts.reach is Reach.CHOSEN:
        yield (
            "The judged questions were selected, or sampled without a recorded probability, so these "
            "figures apply only to them."
        )
    yield from _biases(facts.judges)
    cautions = dict.fromkeys(judge.caution for judge in facts.judges if judge.caution)
    yield from cautions
    if cautions and facts.proofs:
        yield (
            "Certificates do not depend on this, because they are based on what people decided on a random "
            "sample of this study’s own answers."
        )


def _biases(judges: Sequence[JudgeFacts]) -> Iterator[str]:
    """Say which judges accept more answers than people do, or fewer; nothing of those without an interval."""
    bounded = [
        (judge.name, bias.low, bias.high)
        for judge in judges
        if (bias := judge.figures.get("bias")) and bias.low is not None and bias.high is not None
    ]
    fewer = [name for name, _, high in bounded if high < 0]
    more = [name for name, low, _ in bounded if low > 0]
    neither = [name for name, low, high in bounded if low <= 0 <= high]
    for names, how in ((fewer, "fewer"), (more, "more")):
        if names:
            verb = "accepts" if len(names) == 1 else "accept"
            yield (
                f"{joined(names, 'and')} {verb} significantly {how} answers than people do (by the 95% "
                "interval of the bias)."
            )
    if neither:
        yield f"For {joined(neither, 'and')}, no significant bias was found."


def _judge(judge: JudgeFacts) -> str:
    share = share_with_interval(judge.figures["accuracy_all"])
    count = judge.counts.unscored
    unscored = f", {count:,} unscored" if count else ""
    return f"{judge.name} {share} of {judge.n:,}{unscored} [{judge.signature}]{_served(judge.served)}"


def _served(served: Sequence[str]) -> str:
    """Return which models the provider said to have served; a change within the run is one to report."""
    if not served:
        return ""
    if len(served) == 1:
        return f", served by {served[0]}"
    named = ", then ".join(served[:MOST_SERVED])
    more = f" and {len(served) - MOST_SERVED} more" if len(served) > MOST_SERVED else ""
    return f", where the provider changed the model during the run: {named}{more}"
