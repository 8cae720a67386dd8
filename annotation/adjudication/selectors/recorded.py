"""Foresee where a file's own labels are not what its votes come to."""

from collections.abc import Sequence

from annotation.adjudication.rules import decide_columns, label_of_word
from annotation.items.formats.records import VoteRecord
from annotation.items.rules import LabelConflict
from annotation.projects.models import Project
from annotation.projects.rules import Protocol


def find_label_conflicts(*, project: Project, records: Sequence[VoteRecord]) -> list[LabelConflict]:
    """Return the rows whose own label gives another credit than their votes, once replayed.

    Rows without a label of their own are left out, and those with a vote the protocol has no label for.
    """
    if project.protocol is None:
        return []
    protocol = project.protocol.rules
    found = (_conflict(record, protocol) for record in records if record.final)
    return [conflict for conflict in found if conflict is not None]


def do_votes_settle(*, project: Project, columns: Sequence[Sequence[str]]) -> list[bool]:
    """Say of each answer whether its votes in a file, rater by rater, come to a decision once replayed.

    A word that the protocol has no label for is no vote here; the import refuses it.
    """
    if project.protocol is None:
        return [False] * len(columns)
    protocol = project.protocol.rules
    return [
        decide_columns(
            columns=[label_of_word(word, protocol=protocol) or "" for word in words], protocol=protocol
        ).label
        is not None
        for words in columns
    ]


def _conflict(record: VoteRecord, protocol: Protocol) -> LabelConflict | None:
    columns = [label_of_word(vote.label, protocol=protocol) if vote.label else "" for vote in record.votes]
    known = [label for label in columns if label is not None]
    if len(known) < len(columns):
        return None
    label = decide_columns(columns=known, protocol=protocol).label
    said = label_of_word(record.final, protocol=protocol)
    if said and label and protocol.credit(said) is protocol.credit(label):
        return None
    says = _name(said, protocol) or record.final
    return LabelConflict(line=record.line, said=says, found=_name(label, protocol))


def _name(key: str | None, protocol: Protocol) -> str:
    label = protocol.label(key) if key else None
    return label.name if label else ""
