"""Read what leaves: questions, answers and votes as plain values in a fixed order, and the exports."""

from annotation.release.selectors.answers import (
    count_answers,
    count_questions,
    released_answers,
    released_questions,
)
from annotation.release.selectors.changes import count_changes, released_changes
from annotation.release.selectors.exports import ExportNotFound, get_export, list_exports
from annotation.release.selectors.judgments import (
    count_judgments,
    count_votes,
    released_judgments,
    released_votes,
)

__all__ = [
    "ExportNotFound",
    "count_answers",
    "count_changes",
    "count_judgments",
    "count_questions",
    "count_votes",
    "get_export",
    "list_exports",
    "released_answers",
    "released_changes",
    "released_judgments",
    "released_questions",
    "released_votes",
]
