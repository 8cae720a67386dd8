"""What is known of a study when its methods are written."""

from collections.abc import Mapping
from typing import NamedTuple

from analysis.classification import Confusion
from analysis.intervals import Figure
from annotation.agreement.rules.measures import AgreementReport
from annotation.projects.rules import Protocol
from judges.comparison.rules.weights import Reach
from judges.prejudging.rules.audit import AuditReport
from judges.prejudging.rules.certificates import Proof
from judges.prejudging.rules.decided_by import DecidedBy


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
    answers that programs settled of which the figures say nothing. caution: what has to be known of it, in
    words.
    """

    name: str
    signature: str
    counts: Confusion
    figures: Mapping[str, Figure]
    n: int
    served: tuple[str, ...] = ()
    left_out: int = 0
    caution: str = ""


class ScoreFacts(NamedTuple):
    """Scores of systems by people, best first: each label, its score and of how many questions it is.

    column: the name of that way of judging.
    """

    column: str
    systems: tuple[tuple[str, Figure, int], ...]


class LeadFacts(NamedTuple):
    """How sure the first place is.

    leaders: labels of those that share it. rivals: other ranked systems that do not differ significantly from
    at least one of them; worse: those that differ from all. unranked: systems that answered fewer questions.
    """

    leaders: tuple[str, ...]
    rivals: int
    worse: int
    unranked: int


class PreparedFacts(NamedTuple):
    """What was done to answers before people and judges saw them.

    is_cleaned: filler of chat models was removed; is_repaired: garbled text was; list_rules: how lists of
    predictions were read, by the names of the option.
    """

    is_cleaned: bool = False
    is_repaired: bool = False
    list_rules: tuple[str, ...] = ()


class SampledFacts(NamedTuple):
    """By which judge scores of all questions are estimated from labels of a sample, and how it was drawn.

    column: the name of that way of judging. systems: whose score is known so. in_strata: with different
    probabilities.
    """

    column: str
    systems: int
    labels: int
    in_strata: bool


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
    scores: those of systems by people, None while there are none that stand; lead: of the first of them.
    reach: of which questions the figures of judges are. decided_by: all answers by their part in
    pre-judging; None where it had none.
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
    scores: ScoreFacts | None = None
    lead: LeadFacts | None = None
    reach: Reach = Reach.ALL
    routing: RoutingFacts | None = None
    prepared: PreparedFacts = PreparedFacts()
    decided_by: DecidedBy | None = None

    @property
    def is_judged_by_people(self) -> bool:
        """Whether people have decided any answer."""
        return any(count for source, count in self.sources.items() if source != "prejudged")
