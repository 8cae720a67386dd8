"""HTTP for work: sheets for annotators, and the plan by which leads hand them out."""

from annotation.assignments.api.sheets import (
    AheadSerializer,
    BlindQuestionSerializer,
    WorkSerializer,
    work_after,
    work_for,
)
