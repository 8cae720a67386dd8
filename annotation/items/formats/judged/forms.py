"""Forms: a column for each answer, whose header asks about it, and a row for each respondent."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from analysis.text import question_key
from annotation.items.formats.columns import guess, is_about_row, is_question, key_of, understand
from annotation.items.formats.judged.rows import CHOICE, JUDGED_OPTIONS, Judged, read_judged
from annotation.items.formats.records import (
    MOST_NAMED,
    Format,
    ItemRecord,
    Kind,
    Look,
    OptionSpec,
    Problem,
    Source,
    Vote,
)
from annotation.items.formats.shapes.shape import Cells
from annotation.items.formats.tables import TRUTHS, BadCell
from annotation.items.formats.voting import meanings_in, rater_in, word_in

SEPARATOR = OptionSpec(
    "header_separator",
    "",
    (),
    "What separates question and answer in the header of a column. Example: //. To separate them after the "
    "question mark, enter ?. If empty, brackets, the word “Answer” with a colon, and signs such as “|” after "
    "the question mark are recognized.",
)
RESPONDENT = OptionSpec(
    "respondent_column",
    "",
    (),
    "Name of the column that says who responded. If empty, a column with a name such as Email Address or "
    "Name is used. Without such a column, respondents are numbered.",
)
QUESTION_MARK = "?"
NOTHING_ASKED = "no_answer_in_header"
# What quizzes add to a question.
_OF_QUIZZES = frozenset({"score", "feedback"})
_TIMES = frozenset({"timestamp", "zeitstempel", "start_time", "completion_time", "startzeit"})
# Who responded: by code, by address, by name, the surest first.
_RESPONDENTS = (
    *("annotator", "annotator_id", "annotator_name", "rater", "rater_id", "worker_id", "prolific_id"),
    *("participant_id", "participant_code", "participant", "respondent_id", "respondent"),
    *("email_address", "e_mail_address", "email", "e_mail", "your_email", "e_mail_adresse", "username"),
    *("name", "your_name", "full_name", "what_is_your_name", "nutzername", "dein_name", "ihr_name"),
)
_NOBODY = frozenset({"anonymous", "anonym"})
# What forms mostly let people choose; other words are votes, too, but no form is known by them.
_CHOICES = frozenset(TRUTHS) | {"correct", "incorrect", "right", "wrong", "richtig", "korrekt", "inkorrekt"}
_QUESTION_LABEL = re.compile(r"(?:(?:question|frage)\s?\d{0,4}\s?[:.)]|[qf]\d{0,4}\s?[:)])\s*", re.IGNORECASE)
_ANSWER_LABEL = re.compile(
    r"\b(?:(?:model|system|modell)[ ’'s-]{0,3})?(?:answer|response|antwort|a)\s?\d{0,4}\s?:", re.IGNORECASE
)
MOST_LABELS = 20
# Behind the question mark, perhaps of a question in quotation marks.
_SIGN = re.compile(r"([?？][\"”“»«)]?)[ \t]{0,4}(?:\r?\n|\||::?|;|→|[-=]>|[-–—/])")
_AROUND = " \t\r\n|;,–—-/"
# A header that is longer holds a text, which no question is.
LONGEST_HEADER = 4_000
FEWEST_JUDGED = 2


class Asked(NamedTuple):
    """What the header of a column asks people to judge. is_sure: whether no other header would look so."""

    question: str
    answer: str
    is_sure: bool = True


def asked_in(header: str, separator: str = "") -> Asked | None:
    """Return the question and the answer that a header names; None where it does not part them."""
    header = header.strip()
    if len(header) > LONGEST_HEADER:
        return None
    if separator:
        return _parted_by(header, separator)
    title, row = _grid(header)
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


def _grid(header: str) -> tuple[str, str]:
    """Return the title of a grid and its row, which stands in brackets at the end; both empty elsewhere."""
    if not header.endswith("]"):
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


class _Column(NamedTuple):
    """A column of votes. place: which of the answers to its question it is about, from 1."""

    name: str
    asked: Asked
    place: int


def _columns_in(names: Iterable[str], separator: str) -> list[_Column]:
    answers: dict[str, dict[str, int]] = {}
    columns = []
    for name in names:
        if asked := asked_in(name, separator):
            known = answers.setdefault(question_key(asked.question), {})
            columns.append(_Column(name, asked, known.setdefault(asked.answer, len(known) + 1)))
    return columns


class _Form:
    """A form being read: its columns, and what there is to say of it at the end."""

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        self._system = str(options.get("system") or source.stem)
        self._separator = str(options.get(SEPARATOR.name) or "")
        self._respondent = str(options.get(RESPONDENT.name) or "")
        self._labels = meanings_in(str(options.get("labels") or ""))
        self._columns: dict[tuple[str, ...], list[_Column]] = {}
        self._count = 0
        self._is_numbered = False
        self._further: set[str] = set()
        self._left_out: dict[str, None] = {}

    def judged(self, values: Cells) -> Iterator[Judged]:
        """Yield the answers of a row with a vote, and in the first row all others; raises `BadCell`."""
        names = tuple(values)
        is_new = names not in self._columns
        if is_new:
            # Tables have one header, and JSON objects may each have their own.
            self._columns = {names: _columns_in(names, self._separator)}
        columns = self._columns[names]
        if not columns:
            raise _nothing_asked(names, self._separator)
        self._count += 1
        of_respondent = self._column_of_respondent(names)
        rater = self._rater(values, of_respondent)
        self._note_left_out(values, {of_respondent, *(each.name for each in columns)})
        for column in columns:
            word = word_in(values[column.name], column.name)
            if word or is_new:
                label = self._labels.get(word.casefold(), word)
                yield Judged(self._shown(column), (Vote(rater, label),) if word else ())

    def _column_of_respondent(self, names: tuple[str, ...]) -> str:
        if self._respondent:
            if self._respondent not in names:
                message = f"The file has no column “{self._respondent[:60]}” that says who responded."
                raise BadCell(self._respondent, "no_rater", message)
            return self._respondent
        by_key = {key_of(name): name for name in reversed(names)}
        return next((by_key[key] for key in _RESPONDENTS if key in by_key), "")

    def _rater(self, values: Cells, column: str) -> str:
        value = values[column] if column else ""
        if column and str(value).strip().casefold() not in _NOBODY:
            return rater_in(value, column)
        self._is_numbered = True
        return f"respondent {self._count}"

    def _shown(self, column: _Column) -> dict[str, str]:
        shown = {"question": column.asked.question, "answer": column.asked.answer}
        if column.place > 1:
            # As the further trials of a system.
            shown["system"] = f"{self._system} (answer {column.place})"
            self._further.add(question_key(column.asked.question))
        return shown

    def _note_left_out(self, values: Cells, read: set[str]) -> None:
        self._left_out.update(
            (name, None)
            for name, value in values.items()
            if name not in read
            and key_of(name) != "id"
            and not is_about_row(name)
            and value not in ("", None)
        )

    def remarks(self, source: Source) -> Iterator[Problem]:
        """Yield what there is to say of the whole form."""
        if self._further:
            questions = _counted(len(self._further), "question has", "questions have")
            message = (
                f"{questions} several answers, and the form does not name their systems, so second answers "
                f"count as those of “{self._system} (answer 2)” and so on."
            )
            yield source.warning("answers_numbered", message, line=1)
        if self._is_numbered:
            message = (
                "The form does not say who responded, so respondents are numbered in the order of the rows: "
                "“respondent 1” and so on. A respondent with the same number in another file counts as the "
                "same annotator."
            )
            yield source.warning("respondents_numbered", message, line=1)
        if self._left_out:
            yield source.warning("left_out_fields", _left_out_words(list(self._left_out)), line=1)


def _counted(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"


def _left_out_words(names: list[str]) -> str:
    words = ", ".join(f"“{name[:60]}”" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    columns = "This column of the form is" if len(names) == 1 else "These columns of the form are"
    return (
        f"{columns} not imported: {words}{more}. A column is read as votes only if its header contains a "
        "question and an answer."
    )


def _nothing_asked(names: tuple[str, ...], separator: str) -> BadCell:
    name = next((name for name in names if _asks(name)), "")
    example = f" (“{name[:60]}”)" if name else ""
    message = (
        f"No column has “{separator[:60]}” between a question and an answer in its header{example}."
        if separator
        else f"No header shows where the question ends and the answer begins{example}. Set “Header "
        "separator” to what is between them, such as a question mark."
    )
    advice = (
        " If the headers do not contain answers, save a table with a row for each answer and annotator, and "
        "with the columns question, model, response, annotator, and label."
    )
    return BadCell(name, NOTHING_ASKED, message + advice)


def _asks(name: str) -> bool:
    return QUESTION_MARK in name and is_question(name[: name.rindex(QUESTION_MARK) + 1])


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record an answer that the headers ask about, with the votes of all respondents.

    options: `header_separator`, `respondent_column`, `labels`, and those of `READING_OPTIONS`.
    """
    form = _Form(source, options)
    is_told = False
    for found in read_judged(source, options, form.judged, shown_in="header", unread={}):
        is_of_header = isinstance(found, Problem) and found.code == NOTHING_ASKED
        if not (is_of_header and is_told):
            yield found
        is_told = is_told or is_of_header
    yield from form.remarks(source)


def _recognizes(look: Look) -> bool:
    """Whether two headers ask about an answer for sure, or any may beside a time or above votes alone."""
    if look.layout not in ("csv", "tsv"):
        return False
    asked = {name: found for name in look.first if (found := asked_in(name))}
    others = understand((name for name in look.first if name not in asked), {})
    if any(each.meaning in ("question", "gold", "prediction") for each in others):
        return False
    if sum(each.is_sure for each in asked.values()) >= FEWEST_JUDGED:
        return True
    has_time = any(key_of(name) in _TIMES for name in look.first)
    asking = [name for name in look.first if _asks(name)]
    is_asking = bool(asked) or len(asking) >= FEWEST_JUDGED
    is_form = has_time or _are_choices(look.first[name] for name in asking)
    return is_form and is_asking and not guess([look.first], {}).by_value


def _are_choices(cells: Iterable[Any]) -> bool:
    """Whether some cell is a vote in common words, and none is anything else."""
    words = {str(cell or "").strip().casefold() for cell in cells} - {""}
    return bool(words) and words <= _CHOICES


FORMAT = Format(
    key="form",
    name="Form: a column for each answer",
    summary=(
        "Responses to a form, such as those of Google Forms as CSV: each header contains a question and an "
        "answer, and each row the votes of one respondent."
    ),
    kind=Kind.JUDGED_ITEMS,
    read=read,
    recognizes=_recognizes,
    recognized_by=(
        "a CSV or TSV file in which two or more headers contain a question and an answer (`Who wrote it? "
        "[Ann]`, `Question: … Answer: …`, `Who wrote it? / Ann`), or one beside `Timestamp`, or questions "
        "above nothing but votes such as Yes and No"
    ),
    options=(SEPARATOR, RESPONDENT, *(spec for spec in JUDGED_OPTIONS if spec is not CHOICE)),
)
