"""The only source of what an annotator receives: an explicit list of fields, and who fills them."""

from annotation.assignments.blind_view.fields import HowDecided, PastCheck, PastSheet, Said, Work
from annotation.assignments.blind_view.past import (
    build_past,
)
from annotation.assignments.blind_view.questions import asked_keys
from annotation.assignments.blind_view.work import (
    build_work,
)
