"""Questions, gold answers and predictions under the column names most files use."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NamedTuple

from analysis.text import name_of_rater, question_key
from annotation.items.formats.columns import (
    IGNORE,
    MEANING_BY_NAME,
    ROWS_LOOKED_AT,
    Column,
    ColumnSamples,
    Guess,
    base_of,
    beginning,
    checks_in,
    closest,
    comparison_in,
    field_at,
    fields_like,
    guess,
    is_about_row,
    is_alias,
    is_of_turns,
    is_prompt,
    is_question,
    key_of,
    may_hold_votes,
    star_in,
    understand,
)
from annotation.items.formats.documents.strict_json import BadJson, loads
from annotation.items.formats.golds import (
    BOOLEANS,
    MOST_GOLDS,
    SEPARATORS,
    BadGold,
    SeparatorDoubt,
    looks_like_list,
    parse_golds,
    spelled,
    too_many_golds,
)
from annotation.items.formats.passages import KEEP, PASSAGES_OPTION, passages_in
from annotation.items.formats.records import (
    DEEPEST,
    Format,
    Gold,
    ItemRecord,
    Kind,
    OptionSpec,
    PassageRecord,
    PredictionRecord,
    Problem,
    QuestionRecord,
    Retrieved,
    Row,
    Source,
    Vote,
    is_too_deep,
    left_out,
)
from annotation.items.formats.tables import (
    BadCell,
    answer_in,
    count_in,
    number_in,
    read_rows,
    repaired,
    tags_in,
    text_in,
    truth_in,
)
from annotation.items.formats.voting import LABELS, Together, meanings_in, rater_in, word_in

# What programs write where there is nothing.
MISSING_WORDS = frozenset({"nan", "none", "null"})
# The cell of further spellings of the gold answers, beside the cell of the gold answers.
OF_ALIASES = "aliases"
OF_QUESTIONS = frozenset(
    {
        *("question", "id", "gold", OF_ALIASES, "dataset", "tags", "reference_count"),
        *("answerable", "unanswerable"),
    }
)
# The tag of questions that have no answer.
UNANSWERABLE = "unanswerable"
# What data sets write as the only gold answer of such questions: QuAC, XOR-TyDi, MS MARCO.
NO_ANSWERS = frozenset({"CANNOTANSWER", "No Answer", "No Answer Present."})
OF_TURNS = (
    "“{gold}” has as many elements as the list that contains the question, so each element may be about "
    "another question. Say that “{gold}.0” (or another number) contains the gold answers."
)
READING_OPTIONS = (
    OptionSpec(
        "system",
        "",
        (),
        ("Name of the system whose answers the file contains. If empty, the file’s name is used."),
    ),
    OptionSpec("dataset", "", (), "Name of the data set the questions come from."),
    OptionSpec(
        "list_prediction",
        "first",
        ("first", "joined", "split"),
        "How to judge a list of predictions. The list itself is always kept.\nFirst: choose "
        "this if the list is ranked and only its best guess counts.\nJoined: choose this if "
        "the question asks for several items, so that the list is one answer.\nSplit: choose "
        "this to find further correct answers. Each prediction is judged, but only the first "
        "is scored.",
    ),
    OptionSpec(
        "mojibake",
        "keep",
        ("keep", "repair"),
        (
            "What to do with garbled text, such as “30â€“31” for “30–31” (UTF-8 read as "
            "Windows-1252).\nKeep: import it unchanged. Choose this if the systems may have written "
            "it this way.\nRepair: import what was probably meant. Choose this if the text was "
            "garbled only when the file was made."
        ),
    ),
    PASSAGES_OPTION,
)
# By the choice: what is said of a list of predictions, and of garbled text.
LIST_WORDS = {
    "first": (
        "The row has a list of {count} predictions. Only the first is judged. To judge all of them, set "
        "“Lists of predictions” to “split” (each separately) or “joined” (as one answer)."
    ),
    "joined": "The row has a list of {count} predictions. They are joined and judged as one answer.",
    "split": (
        "The row has a list of {count} predictions. Each is judged separately, but only the first is scored."
    ),
}
GARBLED_WORDS = {
    "keep": (
        "“{text}” probably stands for “{meant}” but is imported unchanged. Exact match and other "
        "automatic judges may then reject a correct answer. To repair it, set “Garbled text” to "
        "“repair” and check the files again."
    ),
    "repair": "“{text}” was corrected to “{meant}” because it looked garbled.",
}
TABLE_OPTIONS = (
    LABELS,
    OptionSpec(
        "quoting",
        "auto",
        ("auto", "on", "off"),
        "Whether quotation marks enclose cells. Auto: yes in CSV, and in TSV if its cells are quoted.",
    ),
    OptionSpec(
        "gold_kind",
        "string",
        ("string", "regex"),
        "Whether gold answers are plain text or regular expressions.",
    ),
    OptionSpec(
        "gold_separator",
        "auto",
        ("auto", *SEPARATORS),
        "What separates gold answers in one string. Auto: “/” in golden_answer and “ | ” elsewhere. If "
        "another separator seems likely, you are asked.",
    ),
    OptionSpec(
        "booleans",
        "ask",
        ("ask", *BOOLEANS),
        "How to write an answer that is the JSON value true or false. Choose the words that the systems use.",
    ),
    OptionSpec(
        "header",
        "auto",
        ("auto", "yes", "no"),
        "Whether a table’s first row names its columns. Auto: yes, unless the first row contains a question "
        "and no known column name. "
        "Without a header, columns are called column 1, column 2, and so on.",
    ),
    OptionSpec(
        "rows_at",
        "",
        (),
        "Path to the list of rows in a JSON object, with names separated by periods. If "
        "empty, the only list of objects is used.",
    ),
    OptionSpec(
        "unknown_columns",
        "auto",
        ("auto", "refuse", "keep", "ignore"),
        "What to do with unknown columns. Refuse: refuse the file. Keep: keep them as metadata of "
        "predictions. Ignore: leave them out. Auto: refuse the file until you say what at least one of "
        "the unknown columns contains; after that, ignore the others.",
    ),
)


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a row, with problems in between.

    options: `map` (column → meaning), `samples` (what its columns hold is noted there), and those of
    `READING_OPTIONS` and `TABLE_OPTIONS`.
    """
    reading = RowReader(source, options)
    quoting, rows_at = str(options.get("quoting", "auto")), str(options.get("rows_at", ""))
    has_header = str(options.get("header", "auto"))
    rows = read_rows(source, quoting=quoting, rows_at=rows_at, has_header=has_header)
    first = list(islice(rows, ROWS_LOOKED_AT))
    reading.open_texts([row for row in first if isinstance(row, Row)])
    first = [reading.opened(row) if isinstance(row, Row) else row for row in first]
    yield from reading.look_at([row for row in first if isinstance(row, Row)])
    if reading.is_refused:
        return
    together: Together | None = None
    for row in chain(first, rows):
        if isinstance(row, Problem):
            yield row
            continue
        row = reading.with_fields(reading.opened(row))
        yield from reading.column_problems(row)
        try:
            record = reading.record(row)
        except BadCell as error:
            yield source.error(error.code, error.message, line=row.line, column=error.column)
            continue
        yield from reading.take_warnings()
        if together is None and reading.has_votes:
            together = Together(source)
        if together is None:
            yield record
        else:
            yield from together.add(record)
    if together is not None:
        yield from together.records()
    yield from said_of_unanswerable(source, reading.unanswerable)
    yield from reading.doubts()
    yield from left_out(source, reading.left_out)


def said_of_unanswerable(source: Source, count: int) -> Iterator[Problem]:
    """Remark on how many questions of a file have no answer, if any."""
    if count:
        questions = "1 question" if count == 1 else f"{count:,} questions"
        message = (
            f"According to the file, {questions} cannot be answered. "
            f"{'It gets' if count == 1 else 'They get'} the tag “{UNANSWERABLE}” and no gold "
            f"answer, so only people can judge the answers to {'it' if count == 1 else 'them'}."
        )
        yield source.warning("unanswerable", message)


def is_json_in_text(values: Sequence[Any]) -> bool:
    """Whether all of these are texts with a JSON object in each, or a list of them."""
    return bool(values) and all(isinstance(each, str) and json_in(each) is not each for each in values)


def json_in(text: str) -> Any:
    """Return the object, or the list of objects, that a text is in JSON; else the text."""
    bare = text.strip()
    if not (bare.startswith(("{", "[")) and bare.endswith(("}", "]"))):
        return text
    try:
        value = loads(bare)
    except BadJson:
        return text
    is_objects = isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
    is_opened = (isinstance(value, dict) and bool(value)) or is_objects
    return value if is_opened and not is_too_deep({"": value}, deepest=DEEPEST + 1) else text


def _sample_words(value: Any) -> str:
    """Say how a column begins, by which people know it sooner than by its name."""
    words = beginning(value)
    return f" In this row, “{words}” is in the column." if words else ""


class RowShape(NamedTuple):
    """What the columns of a row mean, alike for all rows that have the same.

    cells: the column of each meaning. golds: the columns whose gold answers a row has together. answers:
    those of systems' answers. unused: those that are in no record. of_question: those about the question.
    read_as: how a question is read from these. votes: those of annotators' votes.
    """

    columns: list[Column]
    cells: Mapping[str, str]
    golds: tuple[str, ...]
    answers: tuple[Column, ...]
    unused: tuple[Column, ...]
    of_question: tuple[str, ...]
    read_as: str
    votes: tuple[Column, ...]


# Columns named by a question, in a table that holds none.
FEWEST_ASKING = 2
# The options that a question is read by, besides its columns.
READ_BY = ("gold_separator", "gold_kind", "booleans", "mojibake", "dataset")
# By how they are read, and what the row says of them. As many are remembered as stand in files of usual size,
# and none that is very long.
ReadQuestions = dict[tuple[str, str], QuestionRecord]
MOST_REMEMBERED = 10_000
LONGEST_REMEMBERED = 1_000


class RowReader:
    """One file being read: what its columns mean, and which of them were reported."""

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        self._source = source
        self._options = options
        self._said: Mapping[str, str] = options.get("map") or {}
        # What was said, and what is guessed beside it.
        self._mapping = self._said
        self._guess = Guess()
        self._beside: tuple[str, ...] = ()
        self._shapes: dict[tuple[tuple[str, ...], tuple[str, ...]], RowShape] = {}
        self._reported: set[str] = set()
        self._warnings: list[Problem] = []
        # The names of what is in no record.
        self.left_out: dict[str, None] = {}
        # What is done with columns that nobody knows: "refuse", "keep" or "ignore".
        self._unknown_columns = str(options.get("unknown_columns", "auto"))
        if self._unknown_columns == "auto":
            self._unknown_columns = "ignore" if self._said else "refuse"
        self._way = str(options.get(PASSAGES_OPTION.name) or KEEP)
        self._fields: list[str] = []
        self._patterns: list[str] = []
        self._set_fields()
        # Those that are no columns of the last row's own: a column's name may have a point in it.
        self._added: tuple[str, ...] = ()
        # Whether no row is one answer: questions are names of columns, or rows compare two answers.
        self.is_refused = False
        # Columns with a JSON object as text in each cell.
        self._texts: tuple[str, ...] = ()
        self._samples: ColumnSamples | None = options.get("samples")
        self._rows_to_note = ROWS_LOOKED_AT if self._samples is not None else 0
        self._default_system = options.get("system") or source.stem
        # The last row's cells about its question, and what they came to without a warning: most files have
        # the systems' answers to a question in rows one below the other.
        self._last: tuple[tuple[str, str], QuestionRecord] | None = None
        # Those of earlier files of the import, too: systems answer the same ones.
        self._questions: ReadQuestions = options.get("questions", {})
        self._booleans = str(options.get("booleans", "ask"))
        self.has_votes = False
        self._labels = meanings_in(str(options.get("labels") or ""))
        # How many rows say that their question has no answer.
        self.unanswerable = 0
        # By a question's key, whether it has an answer, row by row: MuSiQue asks some questions of two sets
        # of passages, of which one has the answer.
        self._answerable: dict[str, list[bool]] = {}
        separator = options.get("gold_separator", "auto")
        asks = separator == "auto" and options.get("gold_kind") != "regex"
        self._doubt_of_golds = SeparatorDoubt() if asks else None

    def _set_fields(self) -> None:
        self._fields = [name for name in self._mapping if "." in name and "*" not in name]
        self._patterns = [name for name in self._mapping if ".*" in name]

    def open_texts(self, rows: Sequence[Row]) -> None:
        """Find the columns whose texts are objects, or conversations, that a table can hold as JSON only."""
        columns = understand(dict.fromkeys(name for row in rows for name in row.values), self._said)
        self._texts = tuple(
            each.name
            for each in columns
            if each.meaning in ("", "question") or key_of(each.name) == "outputs"
            if is_json_in_text([row.values[each.name] for row in rows if row.values.get(each.name)])
        )

    def opened(self, row: Row) -> Row:
        """Return the row with the objects that stand in it as text."""
        held = {name: row.values[name] for name in self._texts if isinstance(row.values.get(name), str)}
        if not held:
            return row
        return Row(row.line, {**row.values, **{name: json_in(text) for name, text in held.items()}})

    def look_at(self, rows: Sequence[Row]) -> Iterator[Problem]:
        """Guess from the first rows what neither names nor people say; tell what was guessed by values."""
        self._guess = guess([row.values for row in rows], self._said)
        self._beside = tuple(dict.fromkeys(name for row in rows for name in row.values))
        holders = {name.split(".", 1)[0] for name in self._said if "." in name}
        self._mapping = {**self._guess.meanings, **self._said}
        self._set_fields()
        yield from self._mapping_problems(rows)
        compared = comparison_in(self._beside)
        if compared and not all(self._is_left_out(name) for name in compared.preferred):
            self.is_refused = True
            yield self._source.error("compared_answers", compared.words(), line=1)
            return
        asking = self._asking_names()
        if len(asking) >= FEWEST_ASKING:
            self.is_refused = True
            message = (
                f"The names of {len(asking):,} columns contain questions (“{asking[0][:60]}”). The file "
                "seems to have a column for each answer and a row for each annotator. Choose the format "
                "“Form: a column for each answer.” If the names do not contain the answers, save a table "
                "with a row for each answer and annotator, and with the columns question, model, response, "
                "annotator, and label."
            )
            yield self._source.error("questions_in_header", message, line=1)
            return
        yield from self._votes_left_out()
        if self._guess.by_value:
            message = (
                f"The column “{self._guess.by_value[:60]}” is read as the question, because it seems to "
                "contain questions. If it does not, say what the column contains."
            )
            yield self._source.warning("guessed_column", message, column=self._guess.by_value)
        for name, value in self._guess.unclear:
            if name.split(".", 1)[0] in holders:
                continue
            if self._unknown_columns == "ignore":
                self.left_out.setdefault(name)
            else:
                yield from self._unknown_column(rows[0].line, name, value)

    def _votes_left_out(self) -> Iterator[Problem]:
        """Warn of columns that seem to hold what people said of answers, which no row here can hold."""
        columns = understand(self._beside, self._mapping)
        named = [each.name for each in columns if not each.meaning and may_hold_votes(each.name)]
        # As Argilla exports them.
        fields = [name for name, _ in self._guess.unclear]
        named += [name for name in fields if name.startswith("responses.") and name.endswith(".value")]
        if named:
            message = (
                f"“{named[0][:60]}” may contain people’s judgments, which are not imported. If it does, say "
                "that the column contains votes. Each such column counts as one annotator, unless another "
                "column says who voted."
            )
            yield self._source.warning("votes_left_out", message, column=named[0])

    def _asking_names(self) -> list[str]:
        """Return the columns that are named by a question, where no column holds questions."""
        columns = understand(self._beside, self._mapping)
        if self._said or any(each.meaning in ("question", "id") for each in columns):
            return []
        return [
            each.name
            for each in columns
            if not each.meaning and "?" in each.name and is_question(each.name[: each.name.rindex("?") + 1])
        ]

    def doubts(self) -> Iterator[Problem]:
        """Yield what is doubtful about the gold answers of the whole file."""
        told = self._doubt_of_golds.told() if self._doubt_of_golds else None
        if told:
            must_say, line, words = told
            tell = self._source.error if must_say else self._source.warning
            yield tell("gold_separator_unclear", words, line=line)

    def with_fields(self, row: Row) -> Row:
        """Return the row with the fields of objects that the mapping names as columns of their own."""
        if not self._fields and not self._patterns:
            return row
        added = {name: None for name in self._fields if name not in row.values}
        if any(name.split(".", 1)[0] in row.values for name in added):
            added = {name: field_at(row.values, name) for name in added}
        else:
            added = {}
        for pattern in self._patterns:
            added.update(each for each in fields_like(row.values, pattern) if each[0] not in row.values)
        self._added = tuple(added)
        return Row(row.line, {**row.values, **added}) if added else row

    def take_warnings(self) -> list[Problem]:
        """Return the warnings of the last record and forget them."""
        warnings, self._warnings = self._warnings, []
        return warnings

    def column_problems(self, row: Row) -> Iterator[Problem]:
        """Yield each column that nobody knows once, at the first row in which it holds something."""
        shape = self._shape_of(row)
        if self._samples is not None and self._rows_to_note:
            self._rows_to_note -= 1
            self._samples.note(shape.columns, row.values)
        for column in shape.unused:
            if column.name in self._reported:
                continue
            value = row.values[column.name]
            if column.meaning or self._unknown_columns == "ignore" or value not in ("", None, [], {}):
                self._reported.add(column.name)
                self._note_left_out(column, value)
                if not column.meaning:
                    yield from self._unknown_column(row.line, column.name, value)

    def record(self, row: Row) -> ItemRecord:
        """Return the row as a record; raises `BadCell`."""
        shape = self._shape_of(row)
        cells = shape.cells
        question = self._asked_twice(self._question(row, shape), cells)
        system = text_in(row.values, cells.get("system")) or self._default_system
        metadata = self._metadata(row, cells, shape.columns)
        predictions = [
            prediction
            for column in shape.answers
            if (prediction := self._prediction(row, column, column.system or system, cells, metadata))
        ]
        if shape.votes:
            self.has_votes = True
            predictions = self._judged(row, shape, predictions)
        if "passages" not in cells and "retrieved" not in cells:
            return ItemRecord(row.line, question, tuple(predictions))
        passages, retrieved = self._passages(row, cells, predictions, system)
        return ItemRecord(row.line, question, tuple(predictions), passages=passages, retrieved=retrieved)

    def _judged(
        self, row: Row, shape: RowShape, predictions: list[PredictionRecord]
    ) -> list[PredictionRecord]:
        """Return the answer of a row with its votes; raises `BadCell` where they are of no single one."""
        votes = tuple(self._votes(row, shape))
        if not votes:
            return predictions
        if len(predictions) != 1:
            message = (
                "The row has a vote but no answer."
                if not predictions
                else "The row has a vote and several answers. Save a row for each answer."
            )
            raise BadCell(shape.votes[0].name, "vote_without_answer", message)
        return [replace(predictions[0], votes=votes)]

    def _votes(self, row: Row, shape: RowShape) -> Iterator[Vote]:
        """Yield the votes of a row: of whom it names, else of whoever a column is named after."""
        named = shape.cells.get("rater")
        if named and len(shape.votes) > 1:
            words = " and ".join(f"“{each.name[:60]}”" for each in shape.votes[:2])
            message = (
                f"{words} both contain votes, but “{named[:60]}” names only one annotator per row. Set "
                "the column that does not say whether the answer is correct to “ignore.”"
            )
            raise BadCell(shape.votes[1].name, "several_choices", message)
        for column in shape.votes:
            word = word_in(row.values[column.name], column.name)
            if word:
                whose = name_of_rater(column.system or column.name)
                rater = rater_in(row.values[named], named) if named else whose
                yield Vote(rater, self._labels.get(word.casefold(), word), line=row.line)

    def _asked_twice(self, question: QuestionRecord, cells: Mapping[str, str]) -> QuestionRecord:
        """Return a question as one of its own where the file has it with an answer and without one."""
        is_answerable = UNANSWERABLE not in question.tags
        self.unanswerable += not is_answerable
        if "answerable" not in cells and "unanswerable" not in cells:
            return question
        known = self._answerable.setdefault(question_key(question.text) or question.external_id, [])
        if is_answerable not in known:
            known.append(is_answerable)
        return replace(question, repeat=known.index(is_answerable))

    def _passages(
        self, row: Row, cells: Mapping[str, str], predictions: list[PredictionRecord], system: str
    ) -> tuple[tuple[PassageRecord, ...], tuple[Retrieved, ...]]:
        """Return the passages of the question, and those that a system retrieved.

        What was retrieved is the question's where the row is of no single system.
        """
        given, retrieved = (
            passages_in(row.values[cells[name]], cells[name], way=self._way) if name in cells else ()
            for name in ("passages", "retrieved")
        )
        if not retrieved:
            return given, ()
        if len(predictions) == 1:
            return given, (Retrieved(predictions[0].system, retrieved),)
        if not predictions and "system" in cells:
            return given, (Retrieved(system, retrieved),)
        return (*given, *retrieved), ()

    def _cells(self, row: Row, columns: list[Column]) -> dict[str, str]:
        """Return the column of each meaning; of several, the first that stands in the row."""
        cells: dict[str, str] = {}
        # What somebody said of a column goes before what its name says, and a question before a prompt.
        for column in sorted(columns, key=lambda each: (not self._is_said(each.name), is_prompt(each.name))):
            if not column.meaning or column.system or column.meaning == IGNORE:
                continue
            is_further = column.meaning == "gold" and is_alias(column.name)
            first = cells.setdefault(OF_ALIASES if is_further else column.meaning, column.name)
            is_second = first != column.name and column.meaning not in ("prediction", "vote")
            if is_second and column.name not in self._reported and not self._is_joined(column, first):
                self._reported.add(column.name)
                message = (
                    f"“{first}” and “{column.name}” both mean {column.meaning}; “{first}” is used. "
                    f"To use “{column.name}” instead, set “{first}” to “ignore.”"
                )
                self._warn(row, column.name, "two_columns", message)
        return cells

    def _is_said(self, name: str) -> bool:
        return name in self._said or any(star_in(name, pattern) for pattern in self._said if "*" in pattern)

    def _is_left_out(self, name: str) -> bool:
        """Whether somebody said of a column, not just of all that nobody knows, that it is not read."""
        said = {column: meaning for column, meaning in self._said.items() if column != "*"}
        return self._is_said(name) and understand([name], said)[0].meaning == IGNORE

    def _is_joined(self, column: Column, first: str) -> bool:
        """Whether a column of gold answers adds to those of the first: both were named, or are numbered."""
        if column.meaning != "gold":
            return False
        if self._is_said(first):
            return self._is_said(column.name)
        return base_of(column.name) == base_of(first)

    def _gold_columns(self, columns: list[Column], cells: Mapping[str, str]) -> tuple[str, ...]:
        """Return the columns whose gold answers a row has together."""
        first = cells.get("gold")
        if first is None:
            return ()
        others = (each for each in columns if each.name != first and not is_alias(each.name))
        return (first, *(each.name for each in others if self._is_joined(each, first)))

    def _shape_of(self, row: Row) -> RowShape:
        names = tuple(row.values), self._added
        shape = self._shapes.get(names)
        if shape is None:
            # JSON objects may each have their own keys; remembering a few shapes is enough.
            if len(self._shapes) > 100:
                self._shapes.clear()
            shape = self._shapes[names] = self._shape(
                row, understand(names[0], self._mapping, names[1], self._beside)
            )
        return shape

    def _shape(self, row: Row, columns: list[Column]) -> RowShape:
        cells = self._cells(row, columns)
        golds = self._gold_columns(columns, cells)
        told = {cell: name for cell, name in cells.items() if cell in OF_QUESTIONS}
        return RowShape(
            columns,
            cells,
            golds,
            answers=tuple(column for column in columns if column.meaning == "prediction"),
            unused=tuple(column for column in columns if column.meaning in ("", IGNORE)),
            of_question=(*told.values(), *golds[1:]),
            read_as=repr((told, golds, [self._options.get(name) for name in READ_BY])),
            votes=tuple(column for column in columns if column.meaning == "vote"),
        )

    def _mapping_problems(self, rows: Sequence[Row]) -> Iterator[Problem]:
        """Yield what of the mapping the first row lacks; a name with “*” may fit any of the first rows."""
        if not rows:
            return
        first = self.with_fields(rows[0])
        for name in self._said:
            if name in first.values or ("*" in name and self._fits(name, rows)):
                continue
            message = f"The column “{name}” is in the mapping but not in the file."
            yield self._source.error("mapped_column_missing", message, line=first.line, column=name)

    def _fits(self, pattern: str, rows: Sequence[Row]) -> bool:
        names = (name for row in rows for name in self.with_fields(row).values)
        return pattern == "*" or any(star_in(name, pattern) for name in names)

    def _note_left_out(self, column: Column, value: Any) -> None:
        """Remember a column, or fields of one, that is in no record and that nobody chose to leave out."""
        name = column.name
        if name in self._mapping or (not column.meaning and self._unknown_columns != "ignore"):
            return
        if self._unknown_columns == "keep" and is_about_row(name):
            return
        mapped = [field for field in self._added if field.startswith(f"{name}.")]
        # A text has no fields.
        if not mapped or isinstance(value, str):
            self.left_out.setdefault(name)
        elif isinstance(value, Mapping):
            inner = (f"{name}.{field}" for field in value)
            unread = (
                each for each in inner if not any(f"{field}.".startswith(f"{each}.") for field in mapped)
            )
            self.left_out.update(dict.fromkeys(unread))

    def _unknown_column(self, line: int, name: str, value: Any) -> Iterator[Problem]:
        if self._unknown_columns != "refuse":
            return
        meant = closest(name, MEANING_BY_NAME)
        is_known = meant == name.lower()
        why = "may contain gold answers or a system’s answers" if is_known else "is unknown"
        hint = f" Did you mean “{meant}”?" if meant and not is_known else ""
        yield self._source.error(
            "unknown_column",
            f"The column “{name[:60]}” {why}.{hint}{_sample_words(value)} Say "
            "what the column contains, or set “Unknown columns” to “keep” or “ignore.”",
            line=line,
            column=name,
        )

    def _question(self, row: Row, shape: RowShape) -> QuestionRecord:
        if self._doubt_of_golds:
            for name in shape.golds:
                if not name.startswith("golden_answer"):
                    self._doubt_of_golds.note(row.values[name], row.line)
        # Written out: 1 and true are equal to Python.
        said = (shape.read_as, repr([row.values[name] for name in shape.of_question]))
        if self._last is not None and self._last[0] == said:
            return self._last[1]
        question = self._questions.get(said)
        if question is None:
            warnings = len(self._warnings)
            question = self._new_question(row, shape.cells, shape.golds)
            if len(self._warnings) > warnings:
                # To be warned of in every row.
                self._last = None
                return question
            if len(said[1]) <= LONGEST_REMEMBERED and len(self._questions) < MOST_REMEMBERED:
                self._questions[said] = question
        self._last = (said, question)
        return question

    def _new_question(self, row: Row, cells: Mapping[str, str], golds: tuple[str, ...]) -> QuestionRecord:
        text = text_in(row.values, cells.get("question")).strip()
        external_id = text_in(row.values, cells.get("id")).strip()
        if not text and not external_id:
            name = cells.get("question", "question")
            raise BadCell(name, "missing_question", "The row has neither a question nor an ID.")
        if len(external_id) > 200:
            raise BadCell(cells["id"], "id_too_long", "The ID is longer than 200 characters.")
        for gold in golds:
            if text and is_of_turns(row.values, cells["question"], gold):
                raise BadCell(gold, "gold_not_text", OF_TURNS.format(gold=gold[:60]))
        is_answerable = self._is_answerable(row, cells)
        tags = tags_in(row.values, cells.get("tags"))
        found = self._all_golds(row, golds, cells.get(OF_ALIASES)) if is_answerable else ()
        if found and all(gold.text in NO_ANSWERS for gold in found):
            is_answerable, found = False, ()
        return QuestionRecord(
            text=self._mended(row, cells["question"], text) if text else "",
            external_id=external_id,
            golds=found,
            dataset=(text_in(row.values, cells.get("dataset")) or self._options.get("dataset") or "")[:100],
            tags=tags if is_answerable else tuple(dict.fromkeys((*tags, UNANSWERABLE))),
            reference_count=count_in(row.values, cells.get("reference_count")),
        )

    def _is_answerable(self, row: Row, cells: Mapping[str, str]) -> bool:
        return (
            truth_in(row.values, cells.get("answerable")) is not False
            and truth_in(row.values, cells.get("unanswerable")) is not True
        )

    def _all_golds(self, row: Row, columns: tuple[str, ...], aliases: str | None) -> tuple[Gold, ...]:
        """Return the gold answers and their aliases, each once, in order; raises `BadCell`."""
        named = (*columns, aliases) if aliases else columns
        if len(named) == 1:
            return self._golds(row, named[0])
        found = tuple(dict.fromkeys(gold for name in named for gold in self._golds(row, name)))
        if len(found) > MOST_GOLDS:
            raise BadCell(named[-1], "too_many_golds", too_many_golds(len(found)))
        return found

    def _golds(self, row: Row, column: str) -> tuple[Gold, ...]:
        separator = self._options.get("gold_separator", "auto")
        if separator == "auto":
            separator = "slash" if column.startswith("golden_answer") else "pipe"
        is_regex = self._options.get("gold_kind") == "regex"
        if isinstance(row.values[column], str) and (told := checks_in(column, row.values[column])):
            raise BadCell(column, "unexpected_shape", told)
        try:
            golds = parse_golds(
                row.values[column], separator=separator, is_regex=is_regex, booleans=self._booleans
            )
        except BadGold as error:
            raise BadCell(column, error.code, error.message) from None
        for gold in golds:
            if not is_regex and looks_like_list(gold.text):
                message = (
                    f"The gold answer “{gold.text[:60]}” looks like a list or an object, but is read as "
                    'a single answer. Write lists as ["first", "second"].'
                )
                self._warn(row, column, "gold_looks_like_list", message)
        return tuple(Gold(self._mended(row, column, gold.text), gold.is_regex) for gold in golds)

    def _prediction(
        self,
        row: Row,
        column: Column,
        system: str,
        cells: Mapping[str, str],
        metadata: Mapping[str, Any],
    ) -> PredictionRecord | None:
        value = row.values[column.name]
        if value is None:
            self._warn(
                row,
                column.name,
                "missing_answer",
                (
                    f"“{system}” has no answer in this row, so none is imported. If the "
                    "system did answer, add its answer to the file."
                ),
            )
            return None
        if len(system) > 200:
            raise BadCell(column.name, "system_too_long", "The system’s name is longer than 200 characters.")
        if isinstance(value, bool):
            value = self._spelled(value, column.name)
        raw = self._raw_list(column, value)
        elements = raw if raw is not None else (answer_in(value, column.name),)
        texts = [self._mended(row, column.name, element) for element in elements] or [""]
        self._doubt(row, column, system, texts[0])
        return PredictionRecord(
            system=system,
            text=self._chosen(row, column, texts, is_list=raw is not None),
            raw=raw,
            further=tuple(texts[1:]) if self._options.get("list_prediction") == "split" else (),
            confidence=number_in(row.values, cells.get("confidence")),
            metadata=metadata,
        )

    def _spelled(self, value: bool, column: str) -> str:
        try:
            return spelled(value, self._booleans)
        except BadGold as error:
            raise BadCell(column, "answer_not_text", error.message) from None

    def _doubt(self, row: Row, column: Column, system: str, text: str) -> None:
        """Remark on an answer that is probably none, or several; refuse one with a result before it."""
        if told := checks_in(column.name, text):
            raise BadCell(column.name, "unexpected_shape", told)
        if text.strip().lower() in MISSING_WORDS:
            message = (
                f"The answer from “{system}” is “{text.strip()}” and may mean that the system gave no "
                f"answer. It is kept. If “{text.strip()}” only marks a missing answer, remove it from the "
                "file."
            )
            self._warn(row, column.name, "answer_looks_missing", message)
        elif looks_like_list(text):
            message = (
                f"The answer “{text[:60]}” looks like a list or an object, but is read as "
                'plain text. Write lists as ["first", "second"].'
            )
            self._warn(row, column.name, "answer_looks_like_list", message)

    def _raw_list(self, column: Column, value: Any) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            return None
        return tuple(answer_in(element, column.name) for element in value)

    def _chosen(self, row: Row, column: Column, texts: list[str], *, is_list: bool) -> str:
        if not is_list:
            return texts[0]
        way = self._options.get("list_prediction", "first")
        if len(texts) > 1:
            self._warn(row, column.name, "list_prediction", LIST_WORDS[way].format(count=len(texts)))
        return ", ".join(texts) if way == "joined" else texts[0]

    def _metadata(self, row: Row, cells: Mapping[str, str], columns: list[Column]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        given = row.values[cells["metadata"]] if "metadata" in cells else None
        if isinstance(given, Mapping):
            kept.update(given)
        if self._unknown_columns == "keep":
            kept.update({column.name: row.values[column.name] for column in columns if self._is_kept(column)})
        return kept

    def _is_kept(self, column: Column) -> bool:
        is_unused = (
            column.meaning == IGNORE and column.name not in self._mapping and is_about_row(column.name)
        )
        return not column.meaning or is_unused

    def _mended(self, row: Row, column: str, text: str) -> str:
        meant = repaired(text)
        if meant is None:
            return text
        is_repaired = self._options.get("mojibake") == "repair"
        words = GARBLED_WORDS["repair" if is_repaired else "keep"]
        self._warn(row, column, "mojibake", words.format(text=text[:60], meant=meant[:60]))
        return meant if is_repaired else text

    def _warn(self, row: Row, column: str, code: str, message: str) -> None:
        self._warnings.append(self._source.warning(code, message, line=row.line, column=column))


FORMAT = Format(
    key="generic",
    name="Questions and answers",
    summary="JSONL, JSON, CSV, or TSV with a question, its gold answers, and systems’ answers.",
    kind=Kind.ITEMS,
    read=read,
    recognized_by="everything else",
    options=(*READING_OPTIONS, *TABLE_OPTIONS),
)
