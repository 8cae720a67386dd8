"""Parts of a study in which raters may agree more or less than in others, and the names of the parts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

import numpy as np

from analysis.arrays import Integers
from analysis.raters.agreement import MissingVotes
from analysis.text import count_words
from annotation.agreement.rules.measures import AgreementFigures, AgreementReport, measure_agreement
from annotation.agreement.rules.votes import FirstRound, LabelView, select_items


class Dimension(StrEnum):
    """What a study is cut by. Those about the answer have no meaning for a check of the question."""

    QUESTION_TYPE = "question_type"
    ANSWER_LENGTH = "answer_length"
    EXACT_MATCH = "exact_match"
    SYSTEM = "system"
    SYSTEM_FAMILY = "system_family"
    RATER = "rater"
    WEEK = "week"
    PROTOCOL_VERSION = "protocol_version"
    DATASET = "dataset"
    FLAG = "flag"


OF_ANSWERS = frozenset(
    {Dimension.ANSWER_LENGTH, Dimension.EXACT_MATCH, Dimension.SYSTEM, Dimension.SYSTEM_FAMILY}
)

# What tells of an answer in a part which system gave it.
OF_SYSTEMS = frozenset({Dimension.SYSTEM, Dimension.SYSTEM_FAMILY})

# From the lowest number of words: the name of the band.
LENGTH_BANDS = (
    (16, "16 words or more"),
    (6, "6 to 15 words"),
    (2, "2 to 5 words"),
    (1, "1 word"),
    (0, "no words"),
)
QUESTION_WORDS = {"who": "who", "whom": "who", "whose": "who", "what": "what", "when": "when",
                  "where": "where", "which": "which", "why": "why", "how": "how"}  # fmt: skip
NO_QUESTION_WORD = "no question word"
_WORD = re.compile(r"[a-z]+")


def question_type(text: str) -> str:
    """Return a question's first wh-word, "how many or how much" apart from other hows."""
    words = _WORD.findall(text.lower())
    for place, word in enumerate(words):
        if word == "how" and words[place + 1 : place + 2] in (["many"], ["much"]):
            return "how many or how much"
        if word in QUESTION_WORDS:
            return QUESTION_WORDS[word]
    return NO_QUESTION_WORD


def length_band(text: str) -> str:
    """Return the band of an answer's length in white-space words; an empty answer has none."""
    words = count_words(text)
    return next(name for fewest, name in LENGTH_BANDS if words >= fewest)


@dataclass(frozen=True)
class Slice(AgreementFigures):
    """One part of a study, with the agreement among annotators in it."""

    name: str


def group_rows(names: Iterable[str | None]) -> dict[str, Integers]:
    """Return each name's rows, names in their natural order; None belongs nowhere."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if name is not None:
            rows.setdefault(name, []).append(row)
    return {name: np.array(rows[name], dtype=np.int64) for name in sorted(rows, key=natural_order)}


def natural_order(name: str) -> list[tuple[int, int, str]]:
    """Sort names with numbers in them as people do: "2 to 5 words" before "16 words"."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def measure_slices(
    first_round: FirstRound,
    slices: Mapping[str, Integers],
    *,
    rule: MissingVotes,
    view: LabelView,
    with_intervals: bool,
) -> list[Slice]:
    """Measure each part by itself; intervals resample the part's own questions."""
    return [
        _slice(
            name,
            measure_agreement(
                select_items(first_round, rows), rule=rule, view=view, with_intervals=with_intervals
            ),
        )
        for name, rows in slices.items()
    ]


def _slice(name: str, report: AgreementReport) -> Slice:
    own = {field.name: getattr(report, field.name) for field in fields(AgreementFigures)}
    return Slice(name=name, **own)
