"""The methods paragraph: a study’s protocol and its figures in sentences, for a paper."""

from collections.abc import Iterator
from typing import NamedTuple

from analysis.undefined import Undefined
from annotation.projects.rules import Protocol
from judges.release.rules.facts import JudgeFacts, StudyFacts
from judges.release.rules.words import (
    POOLED,
    check_words,
    count_of,
    decision_words,
    gold_words,
    joined,
    raters_words,
    share_with_interval,
    with_interval,
)

PRESETS = {"openqa-eval": "OpenQA-eval", "efficientqa": "EfficientQA", "evouna": "EVOUNA"}
SETTLED_BY = {
    "unanimous": "by votes that agreed",
    "majority": "by the protocol’s rule over votes that differed",
    "adjudicated": "by the lead or an adjudicator",
    "prejudged": "by verdicts of programs",
    "imported": "as a file had it",
    "reused": "as in another project",
}


class Methods(NamedTuple):
    """The paragraph, and what must still happen before it is whole, a sentence each."""

    text: str
    missing: tuple[str, ...]


def write_methods(facts: StudyFacts) -> Methods:
    """Say how the study was judged and what came out; a study that is not finished says so first."""
    missing = tuple(_missing(facts))
    sentences = [*_protocol(facts), *_counts(facts), *_agreement(facts), *_gold(facts), *_judges(facts)]
    if missing:
        sentences.insert(0, "Preliminary: this study is not finished.")
    return Methods(" ".join(sentences), missing)


def _missing(facts: StudyFacts) -> Iterator[str]:
    if facts.protocol is None:
        yield "The study has no protocol yet."
    if not facts.questions:
        yield "No questions are imported yet."
    if not facts.systems:
        yield "No answers of systems are imported yet."
    if facts.undecided:
        yield f"{facts.undecided:,} of {count_of(facts.answers, 'answer')} are not decided yet."
    observed = facts.agreement.values["observed_agreement"]
    if isinstance(observed, Undefined) and not _has_one_rater(facts.protocol):
        yield f"Agreement is not known yet: {observed.reason}"
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
    yield f"Answers were judged by people under the protocol of {name}, as set up in Assay."
    yield (
        f"{raters_words(protocol)} as {labels}, without knowing which system gave it, what other raters said "
        f"or what programs said; {decision_words(protocol)}."
    )
    yield f"{gold_words(protocol)}."
    if protocol.question_checks:
        asked = "; ".join(check_words(check) for check in protocol.question_checks)
        yield f"Raters were also asked of each question: {asked}."
    within = " within a group" * protocol.pool_within_groups
    yield f"{POOLED[facts.pooling]} were judged once{within}{_apart_words(facts.kept_apart)}."


def _apart_words(kept_apart: int) -> str:
    if not kept_apart:
        return ""
    return f", but for {kept_apart:,} that files had as rows of their own, each judged as it stands"


def _counts(facts: StudyFacts) -> Iterator[str]:
    if not facts.questions:
        return
    out_of = f" (of {facts.all_questions:,})" if facts.all_questions > facts.questions else ""
    yield (
        f"The judged sample has {count_of(facts.questions, 'question')}{out_of} with "
        f"{count_of(facts.answers, 'distinct answer')} of {count_of(facts.systems, 'system')}."
    )
    if facts.improper:
        were = "was" if facts.improper == 1 else "were"
        yield f"{count_of(facts.improper, 'question')} {were} taken out of all scores by raters."
    if 0 < facts.judged_questions < facts.scored_questions:
        yield (
            f"People judged answers to {facts.judged_questions:,} of "
            f"{count_of(facts.scored_questions, 'question')} so far; on the others systems’ scores are those "
            "of exact match with amended gold."
        )
    settled = [
        f"{facts.sources[key]:,} {words}" for key, words in SETTLED_BY.items() if facts.sources.get(key)
    ]
    if settled:
        yield f"What settled them: {joined(settled, 'and')}."


def _agreement(facts: StudyFacts) -> Iterator[str]:
    report = facts.agreement
    values, intervals = report.values, report.intervals
    observed = values["observed_agreement"]
    if isinstance(observed, Undefined):
        if _has_one_rater(facts.protocol):
            yield "Each answer has one rater, so raters’ agreement is not measured."
        return
    figures = {
        name: with_interval(values[name], intervals[name], digits=3)
        for name in ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1")
    }
    fleiss = "Fleiss’ κ" if report.raters > 2 else "Fleiss’ κ (with two raters, Scott’s π)"
    share = share_with_interval(observed, intervals["observed_agreement"])
    yield (
        f"First-round raters agreed on {share} of {count_of(report.items, 'answer')}; {fleiss} was "
        f"{figures['fleiss_kappa']}, Krippendorff’s α {figures['krippendorff_alpha']} and Gwet’s AC1 "
        f"{figures['gwet_ac1']} (in brackets 95 % intervals, bootstrap over questions)."
    )
    yield report.rule_text


def _gold(facts: StudyFacts) -> Iterator[str]:
    gold = facts.gold
    if not gold.original and not gold.added:
        return
    if not gold.added and not gold.removed:
        yield f"The {count_of(gold.original, 'gold answer')} stood as imported."
        return
    yield (
        f"By these decisions {count_of(gold.added, 'answer')} joined the {gold.original:,} gold answers and "
        f"{gold.removed:,} left them (gold version {gold.version})."
    )


def _judges(facts: StudyFacts) -> Iterator[str]:
    if not facts.judges:
        return
    said = "; ".join(map(_judge, facts.judges))
    yield (
        "Automatic judges agreed with what people decided as follows (share of all decided answers, unscored "
        f"ones as errors, 95 % intervals over questions): {said}."
    )


def _judge(judge: JudgeFacts) -> str:
    share = share_with_interval(judge.accuracy, judge.accuracy_interval)
    count = judge.counts.unscored
    unscored = f", {count:,} unscored" if count else ""
    return f"{judge.name} {share} of {judge.n:,}{unscored} [{judge.signature}]"
