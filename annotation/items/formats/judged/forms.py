"""Forms: a column for each answer, whose header asks about it, and a row for each respondent."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from analysis.text import question_key
from annotation.items.formats.columns import guess, is_about_row, is_question, key_of, understand
from annotation.items.formats.judged.asked import Asked, asked_in, asks, is_code
from annotation.items.formats.judged.headers import CHOICES, Survey, survey_in
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
from annotation.items.formats.tables import BadCell, read_rows
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
ASKED = OptionSpec(
    "asked_question",
    "",
    (),
    "Question that the columns are about, if their headers contain only the answers to it, as in a Likert "
    "question of Microsoft Forms. If empty, only columns whose header contains a question are read.",
)
NOTHING_ASKED = "no_answer_in_header"
NO_QUESTION = "no_question_in_header"
_ADVICE = (
    "save a table with a row for each answer and annotator, and with the columns question, model, response, "
    "annotator, and label"
)
# Columns that forms have and hardly any other table: when somebody responded, and through what.
_OF_FORMS = frozenset(
    {
        *("timestamp", "zeitstempel", "start_time", "completion_time", "startzeit", "fertigstellungszeit"),
        *("submission_date", "start_date_utc", "submit_date_utc", "submitdate", "date_submitted"),
        "collector_id",
    }
)
_OF_MICROSOFT = ({"start_time", "completion_time"}, {"startzeit", "fertigstellungszeit"})
# What Microsoft Forms adds to the answers of a quiz, and to all of them.
_BESIDE_ANSWERS = re.compile(
    r"(?:points|feedback|punkte) [-–] .*|total points|quiz feedback|gesamtpunktzahl|quiz-feedback",
    re.IGNORECASE | re.DOTALL,
)
# Who responded: by code, by address, by name, the surest first.
_BY_CODE = (
    *("annotator", "annotator_id", "annotator_name", "rater", "rater_id", "worker_id", "prolific_id"),
    *("prolific_pid", "participant_id", "participant_code", "participant", "respondent_id", "respondent"),
)
_BY_NAME = (
    *("email_address", "e_mail_address", "email", "e_mail", "your_email", "e_mail_adresse", "username"),
    *("name", "your_name", "full_name", "what_is_your_name", "nutzername", "dein_name", "ihr_name"),
)
# Votes in words: a number may be anything.
_VOTES = frozenset(word for word in CHOICES if word.isalpha())
_NOBODY = frozenset({"anonymous", "anonym"})
FEWEST_JUDGED = 2


class _Column(NamedTuple):
    """A column of votes. place: which of the answers to its question it is about, from 1."""

    name: str
    asked: Asked
    place: int


def _placed(found: Iterable[tuple[str, Asked]]) -> list[_Column]:
    answers: dict[str, dict[str, int]] = {}
    columns = []
    for name, asked in found:
        known = answers.setdefault(question_key(asked.question), {})
        columns.append(_Column(name, asked, known.setdefault(asked.answer, len(known) + 1)))
    return columns


def _asked_by(survey: Survey, separator: str = "") -> dict[str, Asked]:
    """Return what the columns of a survey ask about, by name.

    A title above several columns may be anything. It counts without a question in it if votes stand below, as
    they do below those that have one, or if none has.
    """
    found = {}
    for name, each in survey.headings.items():
        asked = asked_in(each.text, separator) if separator else asked_in(each.title, row=each.row)
        if asked:
            found[name] = asked
    sure = [name for name, asked in found.items() if asked.is_sure]
    votes = _VOTES.union(*(survey.words[name] for name in sure))
    fitting = {name for name in found if survey.words[name] and survey.words[name] <= votes}
    return {name: each for name, each in found.items() if each.is_sure or name in fitting or not sure}


class _Form:
    """A form being read: its columns, and what there is to say of it at the end."""

    def __init__(self, source: Source, options: Mapping[str, Any], survey: Survey | None) -> None:
        self._system = str(options.get("system") or source.stem)
        self._separator = str(options.get(SEPARATOR.name) or "")
        self._respondent = str(options.get(RESPONDENT.name) or "")
        self._asked_question = str(options.get(ASKED.name) or "").strip()
        self._labels = meanings_in(str(options.get("labels") or ""))
        self._survey = survey
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
            self._columns = {names: self._columns_in(names)}
        columns = self._columns[names]
        self._count += 1
        if not columns:
            raise _nothing_asked(names, self._separator)
        of_respondent = self._column_of_respondent(names)
        rater = self._rater(values, of_respondent)
        self._note_left_out(values, {of_respondent, *(each.name for each in columns)})
        for column in columns:
            word = word_in(values[column.name], column.name)
            if word or is_new:
                label = self._labels.get(word.casefold(), word)
                yield Judged(self._shown(column), (Vote(rater, label),) if word else ())

    def _columns_in(self, names: Iterable[str]) -> list[_Column]:
        if self._survey:
            found = _asked_by(self._survey, self._separator)
        else:
            found = {name: asked for name in names if (asked := asked_in(name, self._separator))}
        if self._asked_question:
            rest = (name for name in names if name not in found and self._may_be_answer(name))
            found |= {name: Asked(self._asked_question, name.strip()) for name in rest}
        return _placed((name, found[name]) for name in names if name in found)

    def _may_be_answer(self, name: str) -> bool:
        """Whether a header without a question may be an answer to the one that somebody named."""
        key = key_of(name)
        return not (
            key in ("", "id", *_BY_CODE, *_BY_NAME)
            or key in _OF_FORMS
            or name == self._respondent
            or is_about_row(name)
            or is_question(name)
            or _BESIDE_ANSWERS.fullmatch(name)
        )

    def _column_of_respondent(self, names: tuple[str, ...]) -> str:
        by_key = {key_of(name): name for name in reversed(names)}
        codes = self._survey.codes if self._survey else {}
        if self._respondent:
            key = key_of(self._respondent)
            named = self._respondent if self._respondent in names else by_key.get(key, codes.get(key))
            if named is None:
                message = f"The file has no column “{self._respondent[:60]}” that says who responded."
                raise BadCell(self._respondent, "no_rater", message)
            return named
        # Whatever else a survey asks for may be empty, but each response has its own name.
        by_name = ["response_id"] if "response_id" in codes else _BY_NAME
        by_key |= codes
        return next((by_key[key] for key in (*_BY_CODE, *by_name) if key in by_key), "")

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
            and key_of(name) not in ("id", *_OF_FORMS)
            and not is_about_row(name)
            and value not in ("", None)
        )

    def remarks(self, source: Source, *, has_errors: bool) -> Iterator[Problem]:
        """Yield what there is to say of the whole form."""
        if self._survey:
            yield from self._survey.remarks()
        if not self._count and not has_errors:
            message = (
                "The form has no responses below its header. Export it again once people have responded."
            )
            yield source.error("no_responses", message, line=1)
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
    # Questions first, as surveys have many columns of their own.
    names = names if len(names) <= MOST_NAMED else sorted(names, key=lambda name: not asks(name))
    words = ", ".join(f"“{name[:60]}”" for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    columns = "This column of the form is" if len(names) == 1 else "These columns of the form are"
    return (
        f"{columns} not imported: {words}{more}. A column is read as votes only if its header contains a "
        "question and an answer."
    )


def _nothing_asked(names: tuple[str, ...], separator: str) -> BadCell:
    name = next((name for name in names if asks(name)), "")
    code = next((name for name in names if is_code(name)), "")
    if code and not name:
        message = (
            f"The headers are codes, such as “{code[:60]}.” Export the responses again with the full text of "
            "questions in the headers."
        )
        return BadCell(code, NOTHING_ASKED, message)
    if not separator and (not name or _is_of_microsoft(names)):
        message = (
            "No header contains a question and an answer. If all columns with votes are about answers to one "
            "question, enter it as “Asked question.” If they are about several questions, the file does not "
            f"say which answer belongs to which: {_ADVICE}."
        )
        return BadCell("", NO_QUESTION, message)
    example = f" (“{name[:60]}”)" if name else ""
    message = (
        f"No column has “{separator[:60]}” between a question and an answer in its header{example}."
        if separator
        else f"No header shows where the question ends and the answer begins{example}. Set “Header "
        "separator” to what is between them, such as a question mark."
    )
    return BadCell(name, NOTHING_ASKED, f"{message} If the headers do not contain answers, {_ADVICE}.")


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record an answer that the headers ask about, with the votes of all respondents.

    options: `header_separator`, `respondent_column`, `asked_question`, `labels`, and those of
    `READING_OPTIONS`.
    """
    survey = survey_in(source)
    # Forms ask in their header, which is no row of data.
    rows = survey.rows() if survey else read_rows(source, has_header="yes")
    form = _Form(source, options, survey)
    told: set[str] = set()
    for found in read_judged(source, options, form.judged, shown_in="header", unread={}, rows=rows):
        code = found.code if isinstance(found, Problem) and found.is_error else ""
        # What is wrong with the header is wrong in each row.
        if code not in told or code not in (NOTHING_ASKED, NO_QUESTION):
            yield found
        told.add(code)
    yield from form.remarks(source, has_errors=bool(told - {""}))


def _recognizes(look: Look) -> bool:
    """Whether two headers ask about an answer for sure, or any may beside a time or above votes alone."""
    if look.layout not in ("csv", "tsv"):
        return False
    if survey := survey_in(look.source):
        return survey.is_sure or _are_enough(_asked_by(survey).values())
    asked = {name: found for name in look.first if (found := asked_in(name))}
    others = understand((name for name in look.first if name not in asked), {})
    if any(each.meaning in ("question", "gold", "prediction") for each in others):
        return False
    keys = set(map(key_of, look.first))
    if _are_enough(asked.values()) or _is_of_microsoft(look.first):
        return True
    asking = [name for name in look.first if asks(name) or is_code(name)]
    is_asking = bool(asked) or len(asking) >= FEWEST_JUDGED
    is_form = bool(keys & _OF_FORMS) or _are_choices(look.first[name] for name in asking)
    return is_form and is_asking and not guess([look.first], {}).by_value


def _is_of_microsoft(names: Iterable[str]) -> bool:
    keys = set(map(key_of, names))
    return any(keys >= times for times in _OF_MICROSOFT)


def _are_enough(asked: Iterable[Asked]) -> bool:
    return sum(each.is_sure for each in asked) >= FEWEST_JUDGED


def _are_choices(cells: Iterable[Any]) -> bool:
    """Whether some cell is a vote in common words, and none is anything else."""
    words = {str(cell or "").strip().casefold() for cell in cells} - {""}
    return bool(words) and words <= CHOICES


FORMAT = Format(
    key="form",
    name="Form: a column for each answer",
    summary=(
        "Responses to a form or survey, such as those of Google Forms, SurveyMonkey, or Qualtrics as CSV: "
        "above each column are a question and an answer, and each row has the votes of one respondent."
    ),
    kind=Kind.JUDGED_ITEMS,
    read=read,
    recognizes=_recognizes,
    recognized_by=(
        "a CSV or TSV file in which two or more headers contain a question and an answer (`Who wrote it? "
        "[Ann]`, `Question: … Answer: …`, `Who wrote it? / Ann`), or one beside `Timestamp`, or questions "
        "above nothing but votes such as Yes and No; also with several header rows: titles of questions and "
        "their rows, as in SurveyMonkey, or codes of columns and their texts, as in Qualtrics"
    ),
    options=(SEPARATOR, ASKED, RESPONDENT, *(spec for spec in JUDGED_OPTIONS if spec is not CHOICE)),
)
