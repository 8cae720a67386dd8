"""Read what is known of a project's raters, and the decisions that known answers are drawn from."""

from annotation.quality.selectors.drawing import answers_named, drawable
from annotation.quality.selectors.raters import (
    RaterNotFound,
    get_rater,
    list_raters,
    read_ballots,
    sign_raters,
)

__all__ = [
    "RaterNotFound",
    "answers_named",
    "drawable",
    "get_rater",
    "list_raters",
    "read_ballots",
    "sign_raters",
]
