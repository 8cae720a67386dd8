"""The only source of what an annotator receives: an explicit list of fields, and who fills them."""

from annotation.assignments.blind_view.fields import (
    BlindAnswer,
    BlindCheck,
    BlindQuestion,
    BlindSheet,
    HowDecided,
    PastAnswer,
    PastCheck,
    PastSheet,
    Progress,
    Said,
    Work,
)
from annotation.assignments.blind_view.past import (
    build_past,
)
from annotation.assignments.blind_view.questions import (
    asked_checks,
    asked_keys,
    flags_of,
)
from annotation.assignments.blind_view.work import (
    build_work,
)

__all__ = [
    "BlindAnswer",
    "BlindCheck",
    "BlindQuestion",
    "BlindSheet",
    "HowDecided",
    "PastAnswer",
    "PastCheck",
    "PastSheet",
    "Progress",
    "Said",
    "Work",
    "asked_checks",
    "asked_keys",
    "build_past",
    "build_work",
    "flags_of",
]
