"""Why raters came to differ, as whoever decides sees it: the categories of a decision, and their meaning."""

from typing import NamedTuple


class Category(NamedTuple):
    """One category: its key, its name, and when it fits."""

    key: str
    name: str
    meaning: str


CATEGORIES = (
    Category(
        "guideline",
        "Guidelines unclear",
        "The guidelines leave the case open, or were read in two ways; a line in them would settle it.",
    ),
    Category(
        "evidence",
        "Knowledge or evidence",
        "Whether the answer is right can be looked up, and not everybody found or knew it.",
    ),
    Category(
        "granularity",
        "Borderline granularity",
        "The answer is coarser or finer than what was asked for: a year for a day, a country for a town.",
    ),
    Category(
        "ambiguous_question",
        "Question ambiguous",
        "The question can be read in more than one way, and the answer is right for one of them.",
    ),
    Category("time_dependent", "Depends on time", "The right answer changed, or will change, with time."),
    Category(
        "incorrect_gold",
        "Gold improper",
        "The gold answer is wrong, incomplete or out of date, and somebody followed it.",
    ),
    Category(
        "rater_error",
        "Rater’s slip",
        "Nothing is unclear: a wrong key, a misread answer, or the guidelines passed over.",
    ),
    Category("other", "Other", "None of these; say in words what it was."),
)
DECISION_CATEGORIES = tuple(category.key for category in CATEGORIES)
