"""What a study’s methods paragraph is made of; annotators are counted here, never named."""

from collections.abc import Mapping
from typing import NamedTuple

from analysis.classification import Confusion
from analysis.intervals import Interval
from analysis.undefined import Undefined, Value
from annotation.agreement.rules import AgreementReport
from annotation.projects.rules import Protocol
from judges.prejudging.rules import AuditReport


class GoldFacts(NamedTuple):
    """Gold answers the files had, changes of each kind in force, and the state's name."""

    original: int
    added: int
    removed: int
    version: str


class JudgeFacts(NamedTuple):
    """One judge beside people.

    figures: by name, shares and coefficients. intervals: of each, 95 %, over questions. n: decided answers.
    served: the models its provider said to have served, in the order of their first replies.
    """

    name: str
    signature: str
    counts: Confusion
    figures: Mapping[str, Value]
    intervals: Mapping[str, Interval | Undefined]
    n: int
    served: tuple[str, ...] = ()

    @property
    def accuracy(self) -> Value:
        """The share of all decided answers on which judge and people agree."""
        return self.figures["accuracy_all"]

    @property
    def accuracy_interval(self) -> Interval | Undefined:
        """How sure `accuracy` is."""
        return self.intervals["accuracy_all"]


class StudyFacts(NamedTuple):
    """A study as it stands.

    questions: those people judge; all_questions: imported ones; improper: taken out of the scores by raters.
    scored_questions: those that scores are over, of which judged_questions have a decided answer.
    answers: distinct ones that people judge, of which kept_apart equal another by the rule of pooling, as
    rows of a file that were judged as they stand do; sources: decisions in force by what settled them;
    further: answers with the counted vote of a rater who was asked because others differed.
    audit: of what programs settled, None where no rule of pre-judging is in force.
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

    @property
    def is_judged_by_people(self) -> bool:
        """Whether people have decided any answer."""
        return any(count for source, count in self.sources.items() if source != "prejudged")
