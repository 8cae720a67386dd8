"""What the header of a column asks people to judge: a question, and an answer to it."""

import re
from itertools import islice
from typing import NamedTuple

from annotation.items.formats.columns import is_question, key_of

QUESTION_MARK = "?"
# What quizzes add to a question.
_OF_QUIZZES = frozenset({"score", "feedback"})
_QUESTION_LABEL = re.compile(r"(?:(?:question|frage)\s?\d{0,4}\s?[:.)]|[qf]\d{0,4}\s?[:)])\s*", re.IGNORECASE)
_ANSWER_LABEL = re.compile(
    r"\b(?:(?:model|system|modell)[ ’'s-]{0,3})?(?:answer|response|antwort|a)\s?\d{0,4}\s?:", re.IGNORECASE
)
MOST_LABELS = 20
# Behind the question mark, perhaps of a question in quotation marks.
_SIGN = re.compile(r"([?？][\"”“»«)]?)[ \t]{0,4}(?:\r?\n|\||::?|;|→|[-=]>|[-–—/])")
# Between a question and its row, as Jotform writes it.
_BEFORE_ROW = " >> "
# What LimeSurvey calls columns, by itself or before their texts.
_CODE = re.compile(r"\w{1,40}(?:\[\w{1,40}\]){1,3}")
_CODE_BEFORE = re.compile(rf"(?:{_CODE.pattern}|(?:[A-Z]\d{{1,4}}){{1,2}})\. ")
_AROUND = " \t\r\n|;,–—-/"
# A header that is longer holds a text, which no question is.
LONGEST_HEADER = 4_000


class Asked(NamedTuple):
    """What the header of a column asks people to judge. is_sure: whether no other header would look so."""

    question: str
    answer: str
    is_sure: bool = True


def asked_in(header: str, separator: str = "", *, row: str = "") -> Asked | None:
    """Return the question and the answer that a header names; None where it does not part them.

    row: the row of the question that the column is about, if the file tells it apart from the header.
    """
    header = header.strip()
    if len(header) + len(row) > LONGEST_HEADER:
        return None
    if separator:
        return _parted_by(header, separator)
    if match := _CODE_BEFORE.match(header):
        header = header[match.end() :]
    title, row = (header, row) if row else _grid(header)
    if not row:
        return _parted(header)
    if key_of(row) in _OF_QUIZZES or _parted(title):
        return None
    is_sure = is_question(title) or _QUESTION_LABEL.match(title) is not None
    return _parted(row) or _asked(title, row, is_sure=is_sure)


def _asked(question: str, answer: str, *, is_sure: bool = True) -> Asked | None:
    question, answer = _without_label(question.strip()), answer.strip()
    return Asked(question, answer, is_sure) if question and answer else None


def _without_label(question: str) -> str:
    return question[match.end() :] if (match := _QUESTION_LABEL.match(question)) else question


def is_code(header: str) -> bool:
    """Whether a header is the code of a question and of its row (“Q1[SQ001]”)."""
    return _CODE.fullmatch(header) is not None


def asks(header: str) -> bool:
    """Whether a header has a question in it."""
    return QUESTION_MARK in header and is_question(header[: header.rindex(QUESTION_MARK) + 1])


def _grid(header: str) -> tuple[str, str]:
    """Return the title of a grid and its row, which stands in brackets at the end; both empty elsewhere."""
    title, sign, row = header.partition(_BEFORE_ROW)
    if sign:
        return title.strip(), row.strip()
    if not header.endswith("]") or is_code(header):
        return "", ""
    depth = 0
    for place in range(len(header) - 1, -1, -1):
        depth += {"]": 1, "[": -1}.get(header[place], 0)
        if depth == 0:
            return header[:place].strip(), header[place + 1 : -1].strip()
    return "", ""


def _parted_by(header: str, separator: str) -> Asked | None:
    if separator.strip() == QUESTION_MARK:
        question, mark, answer = header.rpartition(QUESTION_MARK)
        return _asked(f"{question}{mark}", answer)
    question, _, answer = header.partition(separator)
    return _asked(question, answer)


def _parted(header: str) -> Asked | None:
    """Return what a header names by “Answer:”, or by a sign behind the question mark."""
    labels = islice(_ANSWER_LABEL.finditer(header), MOST_LABELS)
    parts = [(header[: label.start()].rstrip(_AROUND), header[label.end() :]) for label in labels]
    if _QUESTION_LABEL.match(header) is None:
        parts = [each for each in parts if is_question(each[0])]
    if parts:
        # A question may have such a word in it.
        return _asked(*next((each for each in parts if each[0].endswith(QUESTION_MARK)), parts[0]))
    sign = _SIGN.search(header)
    if sign is None or not is_question(_without_label(header[: sign.end(1)])):
        return None
    return _asked(header[: sign.end(1)], header[sign.end() :])
