"""What a label of one protocol is called in another."""

from annotation.projects.rules.protocol import Protocol
from annotation.projects.rules.values import Credit


def labels_across(*, source: Protocol, target: Protocol) -> dict[str, str]:
    """Return what each label of one protocol is called in another: by key, else the only one worth as much.

    Nothing where the two do not know the same worths ("cannot judge" aside) or a label has no clear match:
    then decisions under one say nothing under the other.
    """
    theirs = [label for label in source.labels if label.credit is not Credit.MISSING]
    ours = [label for label in target.labels if label.credit is not Credit.MISSING]
    if {label.credit for label in theirs} != {label.credit for label in ours}:
        return {}
    across: dict[str, str] = {}
    for label in theirs:
        equal = [other.key for other in ours if other.credit is label.credit]
        match = [key for key in equal if key == label.key] or equal
        if len(match) != 1:
            return {}
        across[label.key] = match[0]
    return across
