"""The methods paragraph, from the facts of a study."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.classification import Confusion
from analysis.intervals import Figure
from analysis.prejudging.risk_control import certain_percent
from annotation.agreement.rules.measures import AC1, FLEISS, MISSING, OBSERVED, AgreementReport
from annotation.projects.rules import (
    DecisionRule,
    Protocol,
    TieBreak,
)
from common.figures import FIGURES, words_of
from judges.comparison.rules.weights import Reach
from judges.prejudging.rules.audit import AuditReport
from judges.prejudging.rules.certificates import Proof
from judges.release.rules.words import (
    check_words,
    count_of,
    decision_words,
    gold_words,
    joined,
    raters_words,
    share_with_interval,
    with_interval,
)

POOLED = {
    "exact": "Equal answers of several systems",
    "casefold": "Answers of several systems that are equal but for case",
    "normalized": "Answers of several systems that are equal after normalization (SQuAD)",
}


class GoldFacts(NamedTuple):
    """Gold answers the files had, changes of each kind in force, and the state's name."""

    original: int
    added: int
    removed: int
    version: str


class JudgeFacts(NamedTuple):
    """One judge beside people.

    figures: by name, shares and coefficients. n: decided answers.
    served: the models its provider said to have served, in the order of their first replies. left_out:
    answers that programs settled of which the figures say nothing.
    """

    name: str
    signature: str
    counts: Confusion
    figures: Mapping[str, Figure]
    n: int
    served: tuple[str, ...] = ()
    left_out: int = 0


class SampledFacts(NamedTuple):
    """By which judge scores of all questions are estimated from labels of a sample, and how it was drawn.

    column: the name of that way of judging. systems: whose score is known so. in_strata: with different
    probabilities.
    """

    column: str
    systems: int
    labels: int
    in_strata: bool


class StudyFacts(NamedTuple):
    """A study as it stands.

    questions: those people judge; all_questions: imported ones; improper: taken out of the scores by raters.
    scored_questions: those that scores are over, of which judged_questions have a decided answer.
    answers: distinct ones that people judge, of which kept_apart equal another by the rule of pooling, as
    rows of a file that were judged as they stand do; sources: decisions in force by what settled them;
    further: answers with the counted vote of a rater who was asked because others differed.
    audit: of what programs settled, None where no rule of pre-judging is in force. corrected: systems whose
    score it corrects. predicted_by: the judge whose probabilities it corrects; empty: what rules said.
    sampled: what corrects the scores of all questions, where people judge a random sample.
    reach: of which questions the figures of judges are.
    """

    protocol: Protocol | None
    pooling: str
    questions: int
    all_questions: int
    improper: int
    scored_questions: int
    judged_questions: int
    answers: int
    kept_apart: int
    undecided: int
    systems: int
    sources: Mapping[str, int]
    further: int
    agreement: AgreementReport
    gold: GoldFacts
    judges: tuple[JudgeFacts, ...]
    audit: AuditReport | None = None
    proofs: tuple[Proof, ...] = ()
    corrected: int = 0
    predicted_by: str = ""
    sampled: SampledFacts | None = None
    reach: Reach = Reach.ALL
    routing: "RoutingFacts | None" = None

    @property
    def is_judged_by_people(self) -> bool:
        """Whether people have decided any answer."""
        return any(count for source, count in self.sources.items() if source != "prejudged")


class RoutingFacts(NamedTuple):
    """What one rater and a judge who agrees have settled, and what the audit of that found.

    rules: in words, each with the share that was drawn. weighed: answers that went to one rater first, of
    which `stopped` ended so. residual: of all of them, how much would have ended otherwise.
    """

    rules: tuple[tuple[str, float], ...]
    weighed: int
    stopped: int
    labels_an_answer: float
    decided: int
    changed: int
    residual: Figure


# Some providers give every reply a fingerprint of its own.
MOST_SERVED = 3

PRESETS = {"openqa-eval": "OpenQA-eval", "efficientqa": "EfficientQA", "evouna": "EVOUNA"}
SETTLED_BY = {
    "unanimous": "by votes that agreed",
    "majority": "by the protocol’s rule over votes that differed",
    "routed": "by one rater with whom a judge agreed",
    "adjudicated": "by the lead or an adjudicator",
    "prejudged": "by verdicts of programs",
    "imported": "as a file had it",
    "reused": "as in another project",
}


FURTHER = frozenset({TieBreak.THIRD_RATER, TieBreak.MORE_RATERS})


@dataclass(frozen=True)
class Methods:
    """A paragraph of plain text, and what must still happen before it is whole, a sentence each."""

    text: str
    missing: tuple[str, ...]


def write_methods(facts: StudyFacts) -> Methods:
    """Say how the study was judged and what came out; one that is not judged to the end says so first."""
    missing = tuple(_missing(facts))
    sentences = [
        *_protocol(facts),
        *_counts(facts),
        *_audit(facts),
        *_routing(facts),
        *_sampled(facts),
        *_agreement(facts),
        *_gold(facts),
        *_judges(facts),
    ]
    # A released file of decisions is judged to the end, though no systems or judges came with it.
    if facts.protocol is None or not facts.answers or facts.undecided:
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
    raters = raters_words(protocol, shares_with_programs=facts.audit is not None)
    under = f"under the protocol of {name}, as set up in Assay"
    if facts.audit is None:
        yield f"Answers were judged by people {under}."
    elif facts.is_judged_by_people:
        yield f"Answers were judged by people {under}, but for those that programs settled."
    else:
        yield (
            "Programs settled answers, and people have not decided any yet. What is left to people is judged "
            f"{under}."
        )
    if facts.routing:
        raters = f"{raters}, or one where a judge agreed,"
    yield (
        f"{raters} as {labels}, without knowing which system gave it, what other raters said "
        f"or what programs said; {_decided_words(protocol, facts)}."
    )
    yield f"{gold_words(protocol)}."
    if protocol.question_checks:
        asked = "; ".join(check_words(check) for check in protocol.question_checks)
        yield f"Raters were also asked of each question: {asked}."
    within = " within a group" * protocol.pool_within_groups
    yield f"{POOLED[facts.pooling]} were judged once{within}{_apart_words(facts.kept_apart)}."


def _decided_words(protocol: Protocol, facts: StudyFacts) -> str:
    """Say how votes became decisions; of what the protocol foresees only what happened."""
    if protocol.decision_rule is not DecisionRule.MAJORITY:
        return decision_words(protocol)
    if protocol.tie_break in FURTHER and not facts.further:
        return "no answer was given to a further rater"
    if protocol.tie_break is TieBreak.LEAD and not facts.sources.get("adjudicated"):
        return "no answer was decided by the lead"
    return decision_words(protocol)


def _apart_words(kept_apart: int) -> str:
    if not kept_apart:
        return ""
    return f", but for {kept_apart:,} that files had as rows of their own, each judged as it stands"


def _counts(facts: StudyFacts) -> Iterator[str]:
    if not facts.questions:
        return
    out_of = f" (of {facts.all_questions:,})" if facts.all_questions > facts.questions else ""
    of_systems = f" of {count_of(facts.systems, 'system')}" if facts.systems else ""
    yield (
        f"The judged sample has {count_of(facts.questions, 'question')}{out_of} with "
        f"{count_of(facts.answers, 'distinct answer')}{of_systems}."
    )
    if facts.improper:
        were = "was" if facts.improper == 1 else "were"
        yield f"{count_of(facts.improper, 'question')} {were} taken out of all scores by raters."
    if 0 < facts.judged_questions < facts.scored_questions:
        so_far = " so far" if facts.audit is None and facts.undecided else ""
        rest = (
            "; on the others systems’ scores are those of exact match with amended gold"
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
        yield f"What settled them: {joined(settled, 'and')}."


def _audit(facts: StudyFacts) -> Iterator[str]:
    """Say by which rules programs settled how many answers, and what the audit found of that."""
    if facts.audit is None:
        return
    pooled = facts.audit.pooled
    settled = pooled.settled - pooled.drawn
    share = f" ({settled / facts.answers:.1%})".replace("%", " %") if facts.answers else ""
    rules = "; ".join(f"{row.text}, {row.figures.settled - row.figures.drawn:,}" for row in facts.audit.rules)
    yield (
        f"Rules over verdicts of programs settled {settled:,} of {count_of(facts.answers, 'answer')}{share} "
        f"without people: {rules}."
    )
    yield from map(_proof, facts.proofs)
    if pooled.unaudited < pooled.settled:
        yield from _drawn(facts.audit)
        yield from _corrected(facts)
    if pooled.unaudited:
        yield (
            f"{count_of(pooled.unaudited, 'answer')} that programs settled are unaudited: none of them could "
            "be drawn for raters, so it is unknown how often programs were wrong there, and no score is "
            "corrected."
        )


def _routing(facts: StudyFacts) -> Iterator[str]:
    """Say where one rater was enough, what that saved, and how much the audit found to end otherwise."""
    found = facts.routing
    if found is None:
        return
    rules = "; ".join(f"{text}, {share:.3g} drawn" for text, share in found.rules)
    yield (
        f"{count_of(found.weighed, 'answer')} went to one rater first and to no other where a judge said the "
        f"same ({rules}): {found.stopped:,} ended so, "
        f"with {found.labels_an_answer:.2f} labels an answer in all."
    )
    if not found.decided:
        yield (
            "Of the answers on which both agree, a share drawn at random has further raters all the same; "
            "none of these is decided yet, so it is unknown how many would have ended otherwise."
        )
        return
    bound = ""
    if found.residual.high is not None:
        bound = (
            f", so at most {100 * found.residual.high:.1f} % of all answers judged in this way would have "
            "ended otherwise (95 %, at every look)"
        )
    yield (
        "Of the answers on which both agreed, a share drawn at random had further raters all the same: "
        f"{found.changed:,} of {found.decided:,} ended with another label than the first rater’s{bound}."
    )
    yield (
        "Scores take what rater and judge settled as settled by a program and correct it by these; raters’ "
        "agreement is over answers whose further raters did not depend on the first."
    )


def _proof(proof: Proof) -> str:
    """Say what a certificate rests on, what it promises, and whether it still does."""
    allowed, risk = (f"{100 * share:.1f} %" for share in (proof.alpha, proof.delta))
    certain = certain_percent(proof.spent)
    lapsed = f" It has lapsed since. {proof.lapse}" if proof.lapse else ""
    return (
        f"How sure that judge must be was certified ({proof.text}): people judged {proof.drawn:,} of "
        f"{count_of(proof.population, 'open answer')}, drawn at random before, and disagreed with it on "
        f"{proof.errors:,} of the {proof.settled:,} that it would have settled, so that with probability "
        f"{certain} they would disagree with at most {allowed} of what it settles (Learn then Test, exact "
        f"one-sided bound; try {proof.number} of {proof.tries} on that sample, all of them together at a "
        f"risk of {risk}).{lapsed}"
    )


def _drawn(audit: AuditReport) -> Iterator[str]:
    pooled = audit.pooled
    probability = (
        "a recorded probability" if audit.audit_share is None else f"probability {audit.audit_share:g}"
    )
    yield (
        f"Of what a rule spoke for, each answer was drawn for raters instead with {probability}, at random "
        f"and unmarked: {pooled.drawn:,} were."
    )
    if pooled.share.value is None:
        yield "People have not decided any of them yet, so no score is corrected."
        return
    by_rule = "; ".join(
        f"{row.text}, {row.figures.disagreed:,} of {row.figures.decided:,}"
        for row in audit.rules
        if row.figures.decided
    )
    yield (
        f"People disagreed with the rules on {share_with_interval(pooled.share)} of {pooled.decided:,} that "
        f"they decided (95 % interval that holds at every look while the audit grows{_kept_words(audit)}; "
        f"by rule: {by_rule})."
    )


def _corrected(facts: StudyFacts) -> Iterator[str]:
    """Say how scores are corrected, of how many systems, and what judges were not compared on."""
    if facts.audit is None or facts.audit.pooled.share.value is None:
        return
    if not facts.corrected:
        yield "That is too few to correct a score by."
    else:
        of_some = f" of {facts.corrected:,} of {facts.systems:,} systems" * (facts.corrected < facts.systems)
        yield f"Corrected scores{of_some} {_correction_words(facts.predicted_by)}."
    # Every judge is compared on the same answers.
    if left_out := max((judge.left_out for judge in facts.judges), default=0):
        yield (
            f"Figures of judges say nothing of {count_of(left_out, 'answer')} that programs settled "
            "and no audited answer stands for."
        )


def _correction_words(judge: str) -> str:
    if not judge:
        return (
            "add to what programs settled the difference between people and programs on the audited answers, "
            "each weighing one over its probability"
        )
    return (
        f"take, of what programs settled, the probabilities of a judge ({judge}) and add the difference "
        "between people and these on the audited answers, each weighing one over its probability, with power "
        "tuning (PPI++)"
    )


def _sampled(facts: StudyFacts) -> Iterator[str]:
    """Say how scores of all questions were estimated from those that people judged."""
    if facts.sampled is None:
        return
    how = "in strata by how unsure a judge was of their answers" if facts.sampled.in_strata else "by a seed"
    yield f"The judged questions were drawn at random, {how}, each with a recorded probability."
    if not facts.sampled.systems:
        yield "They are not all decided yet, so no score of all questions is estimated."
        return
    yield (
        f"Scores of {count_of(facts.sampled.systems, 'system')} over all questions "
        f"({facts.sampled.column}) are the judge’s word on every answer plus the "
        f"mean difference of {count_of(facts.sampled.labels, 'label')} of people from it, each weighing one "
        "over its probability, with power tuning (PPI++); their 95 % intervals hold however often the judge "
        "errs."
    )


def _kept_words(audit: AuditReport) -> str:
    """Say that some rules may have been undone for how their audit looked, where there is a choice."""
    if audit.watched < 2:
        return ""
    return f", whichever of the {audit.watched} rules applied so far are kept"


def _agreement(facts: StudyFacts) -> Iterator[str]:
    report = facts.agreement
    observed = report.figures[OBSERVED]
    if observed.value is None:
        if _has_one_rater(facts.protocol):
            yield "Each answer has one rater, so raters’ agreement is not measured."
        elif facts.answers and not facts.undecided:
            yield "No answer has votes from two raters, so raters’ agreement is not measured."
        return
    figures = {
        name: with_interval(report.figures[name], digits=3) for name in (FLEISS, "krippendorff_alpha", AC1)
    }
    pi = "" if report.raters > 2 else " (with two raters, Scott’s π)"
    fleiss, alpha, ac1 = (FIGURES[name].plain for name in figures)
    yield (
        f"First-round raters agreed on {share_with_interval(observed)} of "
        f"{count_of(report.items, 'answer')}; {fleiss}{pi} was {figures[FLEISS]}, {alpha} "
        f"{figures['krippendorff_alpha']} and {ac1} {figures[AC1]} "
        "(in brackets 95 % intervals over questions)."
    )
    if report.distribution.get(MISSING):
        yield f"AC1 counts {report.ac1_labels} labels, a vote that was not given among them."
    yield report.rule_text


def _gold(facts: StudyFacts) -> Iterator[str]:
    gold = facts.gold
    if not gold.original and not gold.added:
        return
    if not gold.added and not gold.removed:
        yield f"The {count_of(gold.original, 'gold answer')} stood as imported."
        return
    decisions = "these decisions" if facts.audit is None else "these decisions, those of programs among them,"
    yield (
        f"By {decisions} {count_of(gold.added, 'answer')} joined the {gold.original:,} gold answers and "
        f"{gold.removed:,} left them (gold version {gold.version})."
    )


# What stands in brackets where judged questions were drawn at random.
_OF_DRAWN: Mapping[Reach, str] = {
    Reach.RANDOM: "an estimate for all questions, of which these are a random sample, ",
    Reach.WEIGHED: "an estimate for all questions, each weighing one over its probability, ",
}


def _judges(facts: StudyFacts) -> Iterator[str]:
    if not facts.judges:
        return
    said = "; ".join(map(_judge, facts.judges))
    weights = _OF_DRAWN.get(facts.reach, "")
    weights += "" if facts.audit is None else "an audited one weighing one over its probability, "
    if facts.audit is not None and not facts.audit.pooled.decided:
        weights = (
            f"{_OF_DRAWN.get(facts.reach, '')}"
            "none of them settled by programs, since no audited answer is decided yet, "
        )
    yield (
        "Automatic judges agreed with what people decided as follows (share of all decided answers, "
        f"{weights}unscored ones as errors, 95 % intervals over questions): {said}."
    )
    if facts.reach is Reach.CHOSEN:
        yield (
            "The judged questions were chosen, or drawn without a recorded probability, so these figures "
            "are of them alone."
        )


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
    return f", where the provider changed the model meanwhile: {named}{more}"
