"""Read the files of an import, row by row, as its options say."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from analysis.text import clean_answer
from annotation.items import selectors
from annotation.items.formats import generic
from annotation.items.formats.columns import ColumnSamples
from annotation.items.formats.documents.conversion import ENCODINGS, UTF_8
from annotation.items.formats.records import (
    Format,
    ItemRecord,
    Kind,
    OptionSpec,
    PredictionRecord,
    Problem,
    Record,
    Severity,
    Source,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.formats.registry import detect
from annotation.items.models import DataImport
from annotation.items.rules import OptionError, checked_options, key_of_question
from annotation.projects.models import Project
from common.database import rows
from common.errors import Conflict, Invalid

SYSTEM_NAMES = "system_names"
AS_IN_FILE = "as_in_file"
WITHOUT_COMMON_PREFIX = "without_common_prefix"
SHORTENED = "shortened"
BAD_ROWS = "bad_rows"
REFUSE = "refuse"
LEAVE_OUT = "leave_out"
# What is wrong with one row and says nothing of how the file is read.
OF_ONE_ROW = frozenset(
    {
        "bad_pattern",
        "missing_pattern",
        "unknown_question",
        "missing_question",
        "gold_not_text",
        "too_many_golds",
        "id_too_long",
        "passage_not_text",
        "passage_too_long",
        "too_many_passages",
    }
)
# How rows come into the project; the formats' own options say how files are read.
APPLYING_OPTIONS = (
    OptionSpec(
        "candidates",
        "predictions",
        ("predictions", "votes"),
        "Which answers people judge: all predictions, pooled; or only answers whose votes were imported. "
        "In the second case, each prediction is matched to one of those answers by its exact text or, "
        "failing that, regardless of case.",
    ),
    OptionSpec(
        SYSTEM_NAMES,
        AS_IN_FILE,
        (AS_IN_FILE, WITHOUT_COMMON_PREFIX, SHORTENED),
        "How new systems are named in the web interface: as in the file; without the prefix that all "
        "systems of this import share, up to a character such as “_”; or shortened, which also removes a "
        "shared ending and the data set’s name with its number of questions.",
    ),
    OptionSpec(
        BAD_ROWS,
        REFUSE,
        (REFUSE, LEAVE_OUT),
        "What to do with rows whose gold answer, pattern, or ID cannot be used, or whose system already "
        "answered the question differently. Refuse: refuse all files. Leave out: list these rows, leave them "
        "out, and import the others.",
    ),
    OptionSpec("group", "", (), "Group of the systems, for a protocol that has one annotator per group."),
)

ENCODING = OptionSpec(
    "encoding",
    UTF_8,
    ENCODINGS,
    "Encoding of files that are not in UTF-8. Excel on Western systems writes windows-1252. Check the sample "
    "below: the wrong encoding garbles letters.",
)
# Of an import whose files have different formats.
RECOGNIZE = OptionSpec(
    "recognize",
    "no",
    ("no", "yes"),
    "Whether to read each file in its recognized format. If no, all files are read by their column names.",
)

AnyRecord = TypeVar("AnyRecord", bound=Record)


class FilesChanged(Conflict):
    """The files of an import are not as they were when it was checked."""


class BadOption(Invalid):
    """The format does not have such an option or value."""


def option_specs(found: Format) -> tuple[OptionSpec, ...]:
    """Return the options that an import of this format takes."""
    recognizing = (RECOGNIZE,) if found is generic.FORMAT else ()
    return (*found.options, ENCODING, *recognizing, *(APPLYING_OPTIONS if found.kind is Kind.ITEMS else ()))


def settle_options(*, found: Format, options: dict[str, Any]) -> dict[str, Any]:
    """Return all options of an import with defaults filled in; raises `BadOption`."""
    try:
        return checked_options(found, options, option_specs(found))
    except OptionError as error:
        raise BadOption(str(error)) from None


def read_source(
    data_import: DataImport,
    source: Source,
    *,
    questions: generic.ReadQuestions,
    samples: ColumnSamples | None = None,
) -> Iterator[Record | Problem]:
    """Yield every row and problem of one file of an import, and note what its columns hold in `samples`.

    questions: those of the files before, which are read once, not in each file; new ones are added.
    """
    found = format_of(data_import, source)
    options = {
        **data_import.options,
        "known_questions": lambda: _question_texts(data_import),
        "questions": questions,
    }
    if samples is not None:
        options["samples"] = samples
    read = found.read(source, options)
    is_cleaned = data_import.project.cleaning == Project.Cleaning.CHAT
    for row in read:
        if isinstance(row, Problem):
            yield weighed(row, data_import)
        else:
            yield cleaned(row) if is_cleaned else row


def format_of(data_import: DataImport, source: Source) -> Format:
    """Return the format that one file of an import is read in."""
    found = selectors.get_format(data_import.format)
    if found is not generic.FORMAT or data_import.options.get(RECOGNIZE.name) != "yes":
        return found
    recognized = detect(source)
    return recognized if recognized.kind is Kind.ITEMS else found


def leaves_out_bad_rows(data_import: DataImport) -> bool:
    """Whether rows that cannot be used keep no other row out."""
    return bool(data_import.options.get(BAD_ROWS) == LEAVE_OUT)


def weighed(problem: Problem, data_import: DataImport) -> Problem:
    """Return a problem as a warning where it is about one row and the lead chose to leave such rows out."""
    if problem.code not in OF_ONE_ROW or not problem.is_error or not leaves_out_bad_rows(data_import):
        return problem
    return replace(problem, severity=Severity.WARNING, message=f"{problem.message} The row is left out.")


def cleaned(row: Record) -> Record:
    """Return a row with its answers cleaned.

    Rows of votes and verdicts are cleaned alike, so that they find the answers they are about.
    """
    if isinstance(row, VoteRecord | VerdictRecord):
        return replace(row, answer=clean_answer(row.answer))
    return replace(row, predictions=tuple(map(_cleaned_prediction, row.predictions)))


def _cleaned_prediction(prediction: PredictionRecord) -> PredictionRecord:
    text = clean_answer(prediction.text)
    return replace(
        prediction,
        text=text,
        further=tuple(map(clean_answer, prediction.further)),
        uncleaned=prediction.text if text != prediction.text else "",
    )


def read_records(data_import: DataImport) -> Iterator[Record]:
    """Yield the rows of all files of an import that was found to be without errors.

    Raises `FilesChanged` where there is one now: nothing may be left out without a word.
    """
    questions: generic.ReadQuestions = {}
    for source in selectors.sources_of(data_import):
        for record in read_source(data_import, source, questions=questions):
            if not isinstance(record, Problem):
                yield record
            elif record.is_error:
                raise FilesChanged(f"{record.file} has changed since the check: {record.message}")


def _question_texts(data_import: DataImport) -> Iterable[str]:
    return data_import.project.questions.order_by("pk").values_list("text", flat=True).iterator()


def chunks_of(records: Iterable[AnyRecord], most: int = rows.LARGEST) -> Iterator[list[AnyRecord]]:
    """Yield rows with about so many answers at a time; rows of one question in a row stay together."""
    chunk: list[AnyRecord] = []
    size, held = min(most, rows.LARGEST), 0
    for record in records:
        if held >= size and record_key(record) != record_key(chunk[-1]):
            yield chunk
            chunk, held = [], 0
        chunk.append(record)
        held += _size_of(record)
    if chunk:
        yield chunk


def _size_of(record: Record) -> int:
    if not isinstance(record, ItemRecord):
        return 1
    size = max(1, len(record.predictions))
    if record.has_passages:
        size += len(record.passages) + sum(len(each.passages) for each in record.retrieved)
    return size


def record_key(record: Record) -> str:
    """Return what names the question of a row: the key of its text, else its id.

    A question that stands in a file again as one of its own has its number behind the key; keys have
    spaces around every sign, so no question's text gives such a key.
    """
    if not isinstance(record, ItemRecord):
        return key_of_question(text=record.question)
    question = record.question
    if not question.text:
        return f"id:{question.external_id}"
    key = key_of_question(text=question.text)
    return f"{key} #{question.repeat + 1}" if question.repeat else key
