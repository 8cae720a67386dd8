"""What a file's own votes come to: answers that nobody need be asked about, and labels that differ."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from annotation.items.formats.openqa_votes import FINAL_COLUMN
from annotation.items.formats.records import (
    ItemRecord,
    PredictionRecord,
    Problem,
    Severity,
    VoteRecord,
)
from annotation.items.rules import LabelConflict
from annotation.projects.models import Project
from annotation.projects.rules import is_improper, skipping_check_key
from common.facts import ask

PlaceOf = Callable[[PredictionRecord], str]


def settled_places(*, project: Project, record: ItemRecord, place_of: PlaceOf) -> frozenset[str]:
    """Return the places of the row's answers that need no judging: equal answers have one place.

    Where its raters take the question out of the scores, all of them. Votes on an answer in further rows or
    files are not added up.
    """
    if _takes_out(project, record):
        return frozenset(map(place_of, record.predictions))
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for prediction in record.predictions:
        if prediction.vote:
            votes[place_of(prediction)].setdefault(prediction.vote.rater, prediction.vote.label)
    if not votes:
        return frozenset()
    settled = _settle(project, [list(said.values()) for said in votes.values()])
    return frozenset(place for place, is_settled in zip(votes, settled, strict=True) if is_settled)


def is_settled(*, project: Project, record: VoteRecord) -> bool:
    """Say whether a row of votes settles its answer."""
    (settled,) = _settle(project, [[vote.label for vote in record.votes]])
    return settled


def label_conflicts(*, project: Project, records: Sequence[VoteRecord], file: str) -> Iterator[Problem]:
    """Yield a warning for each row whose own label is not what its votes come to."""
    found: list[LabelConflict] = ask(fact="label_conflicts", project=project, records=records)
    for conflict in found:
        comes_to = f"“{conflict.found}”" if conflict.found else "no label yet"
        message = (
            f"The row says “{conflict.said}”, but its votes come to {comes_to}; the votes count. "
            "Where the file's label is right, decide the answer yourself."
        )
        yield Problem(file, conflict.line, FINAL_COLUMN, Severity.WARNING, "label_differs", message)


def _takes_out(project: Project, record: ItemRecord) -> bool:
    if not record.marked_by or project.protocol is None:
        return False
    protocol = project.protocol.rules
    key = skipping_check_key(protocol)
    return is_improper(protocol=protocol, marks=[{key} for _ in record.marked_by])


def _settle(project: Project, columns: list[list[str]]) -> list[bool]:
    settled: list[bool] = ask(fact="votes_settle", project=project, columns=columns)
    return settled
