"""What only later steps know about items, and what they make of an import besides items."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from annotation.items.formats.records import Kind, VoteRecord
from annotation.items.models import DataImport
from annotation.items.rules import Ballot, GivenBefore, LabelConflict, RecordedDecision, RecordedVerdict
from annotation.projects.models import Project
from common.events import Port


@Port
def judged_questions(*, project: Project) -> frozenset[int]:
    """Return the questions on which people's votes or decisions stand."""
    raise NotImplementedError


@Port
def improper_questions(project: Project) -> frozenset[int]:
    """Return the questions that raters took out of every score."""
    raise NotImplementedError


@Port
def find_label_conflicts(*, project: Project, records: Sequence[VoteRecord]) -> list[LabelConflict]:
    """Return the rows whose own label is not what their votes come to."""
    raise NotImplementedError


@Port
def do_votes_settle(*, project: Project, columns: Sequence[Sequence[str]]) -> list[bool]:
    """Say of each answer whether its votes in a file, rater by rater, come to a decision."""
    raise NotImplementedError


@Port
def find_unknown_labels(*, project: Project, words: Sequence[str]) -> list[str]:
    """Return which of these words of a file mean no label of the project's protocol."""
    raise NotImplementedError


@Port
def find_given_before(*, project: Project, ballots: Sequence[Ballot]) -> GivenBefore:
    """Return what raters of a file said of these answers in earlier imports."""
    raise NotImplementedError


@Port
def take_over_votes(*, project: Project, ballots: Iterable[Ballot], at: datetime) -> object:
    """Take in what raters of a file said of these answers; safe to repeat."""
    raise NotImplementedError


@Port
def take_over_decisions(*, project: Project, decisions: Iterable[RecordedDecision], at: datetime) -> object:
    """Decide these answers as a file says; safe to repeat."""
    raise NotImplementedError


@Port
def take_over_verdicts(
    *, data_import: DataImport, judge: str, verdicts: Sequence[RecordedVerdict], at: datetime
) -> object:
    """Keep what a judge of a file said of these answers; safe to repeat."""
    raise NotImplementedError


@Port
def take_out_votes(*, data_import: DataImport) -> None:
    """Delete the votes of an import; safe to repeat."""
    raise NotImplementedError


@Port
def take_out_decisions(*, data_import: DataImport) -> None:
    """Delete the decisions of an import; safe to repeat."""
    raise NotImplementedError


@Port
def take_out_verdicts(*, data_import: DataImport) -> None:
    """Delete the verdicts of an import; safe to repeat."""
    raise NotImplementedError


# By what a format's rows are: who takes out again what they hold besides items.
TAKEN_OUT: dict[Kind, Port[..., None]] = {
    # Rows of answers may have votes beside them.
    Kind.ITEMS: take_out_votes,
    Kind.VOTES: take_out_votes,
    Kind.JUDGED_ITEMS: take_out_votes,
    Kind.DECIDED_ITEMS: take_out_decisions,
    Kind.VERDICTS: take_out_verdicts,
}
