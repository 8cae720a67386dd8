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
