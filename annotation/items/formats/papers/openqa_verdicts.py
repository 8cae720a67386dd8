"""OpenQA-eval's recorded verdicts: what BEM, InstructGPT and GPT-4 said of each answer."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from annotation.items.formats.papers.openqa_votes import as_text, unusable_cell
from annotation.items.formats.records import Format, Kind, OptionSpec, Problem, Row, Source, VerdictRecord
from annotation.items.formats.tables import Beginnings, read_rows

COLUMNS = ("Question", "Model answer", "Acceptable?")
OTHER_COLUMNS = frozenset({"id", "Gold answers"})
BEM_COLUMN = "BEM probs per gold answer"
VERDICTS = {"yes": True, "no": False, "": None}
DATASET_PREFIX = re.compile(r"^[A-Z]+[0-9]*_")


def read(source: Source, options: Mapping[str, Any]) -> Iterator[VerdictRecord | Problem]:
    """Yield one record a row.

    options: `judge` (else the file's stem after "NQ301_"), `quoting`, and `known_questions`, a function
    that returns the texts of all questions, needed for files that lack the tab after the question.
    """
    judge = options.get("judge") or judge_name(source)
    split = _Splitter(options.get("known_questions") or tuple)
    rows = read_rows(source, quoting=_quoting(source, options), mend=_part_glued_cells)
    count = 0
    for row in rows:
        if isinstance(row, Problem):
            yield row
            continue
        count += 1
        if count == 1 and (missing := _missing_columns(source, row)):
            yield from missing
            return
        if unusable := unusable_cell(source, row, COLUMNS):
            yield unusable
            continue
        yield _record(source, split.parted(as_text(row)), count, judge)


def judge_name(source: Source) -> str:
    """Return the judge a file is named after: NQ301_BEM.tsv holds verdicts of "bem"."""
    return DATASET_PREFIX.sub("", source.stem).lower()


def _quoting(source: Source, options: Mapping[str, Any]) -> str:
    given = str(options.get("quoting") or "auto")
    if given != "auto" or not source.path.is_file():
        return given
    with source.path.open("rb") as file:
        header = file.readline(10_000)
    # Only BEM's file was written with quotation marks around cells; the others hold them as characters.
    return "on" if BEM_COLUMN.encode() in header else "off"


def _part_glued_cells(header: list[str], cells: list[str]) -> list[str]:
    # The tab between question and answer is missing: the answer's cell gets both, the splitter parts them.
    if len(cells) != len(header) - 1 or "Question" not in header or "Model answer" not in header:
        return cells
    place = header.index("Question")
    return [*cells[:place], "", *cells[place:]] if header.index("Model answer") == place + 1 else cells


def _missing_columns(source: Source, row: Row) -> list[Problem]:
    return [
        source.error("missing_column", f"The column “{name}” is missing from the file.", line=1, column=name)
        for name in COLUMNS
        if name not in row.values
    ]


def _record(source: Source, row: Row, number: int, judge: str) -> VerdictRecord | Problem:
    if not row.values["Question"]:
        message = (
            "Question and answer share one cell, and no question in the project matches its beginning. "
            "Import the questions or the votes first."
        )
        return source.error("glued_columns", message, line=row.line, column="Question")
    verdict = row.values["Acceptable?"].strip()
    if verdict.lower() not in VERDICTS:
        message = f"“{verdict[:60]}” is not a verdict. Use Yes, No, or an empty cell."
        return source.error("unknown_label", message, line=row.line, column="Acceptable?")
    reply = _reply(row)
    score = _largest_probability(reply)
    if score is None and BEM_COLUMN in row.values:
        return source.error(
            "bad_probabilities",
            "The probabilities cannot be read. Write a pair for each gold answer: [[P(no), P(yes)], …].",
            line=row.line,
            column=BEM_COLUMN,
        )
    return VerdictRecord(
        line=row.line,
        row=number,
        judge=judge,
        question=row.values["Question"].strip(),
        answer=row.values["Model answer"],
        verdict=verdict,
        accepted=VERDICTS[verdict.lower()],
        score=score if BEM_COLUMN in row.values else None,
        raw_reply=reply,
    )


def _reply(row: Row) -> str:
    names = [name for name in row.values if name not in OTHER_COLUMNS and name not in COLUMNS]
    return str(row.values[names[0]]) if names else ""


def _largest_probability(text: str) -> float | None:
    """Return the largest P(yes) of `[[P(not), P(yes)], …]`, one pair a gold; None for anything else."""
    try:
        return max(float(pair[1]) for pair in json.loads(text))
    except (ValueError, TypeError, IndexError, KeyError, RecursionError):
        return None


class _Splitter:
    """Part question and answer that stand in one cell, by the questions that are known."""

    def __init__(self, known_questions: Callable[[], Iterable[str]]) -> None:
        self._known_questions = known_questions
        self._known: Beginnings | None = None

    def parted(self, row: Row) -> Row:
        """Return the row with question and answer apart, unchanged where it is fine or nothing helps."""
        if row.values["Question"]:
            return row
        glued = row.values["Model answer"]
        end = self._end_of_question(glued)
        return Row(row.line, {**row.values, "Question": glued[:end], "Model answer": glued[end:]})

    def _end_of_question(self, glued: str) -> int:
        if self._known is None:
            self._known = Beginnings(self._known_questions())
        return self._known.end_in(glued)


FORMAT = Format(
    key="openqa-eval-verdicts",
    name="OpenQA-eval: recorded verdicts",
    summary="TSV with Question, Model answer, Acceptable?, and the judge’s reply or probabilities.",
    kind=Kind.VERDICTS,
    read=read,
    recognizes=lambda look: look.has(*COLUMNS),
    recognized_by="`Question`, `Model answer`, and `Acceptable?`, but no annotator columns",
    options=(
        OptionSpec(
            "judge",
            "",
            (),
            "Name of the judge. If empty, the part of the file’s name after “NQ301_” is used.",
        ),
        OptionSpec(
            "quoting",
            "auto",
            ("auto", "on", "off"),
            "Whether quotation marks enclose cells. Auto: yes only in the BEM (BERT matching) file.",
        ),
    ),
)
