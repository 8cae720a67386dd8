"""Several header rows, as exports of surveys have, joined into the one header of a form."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, takewhile
from typing import NamedTuple

from annotation.items.formats.columns import ROWS_LOOKED_AT, VOTES, key_of
from annotation.items.formats.records import Problem, Row, Source
from annotation.items.formats.tables import TRUTHS, BadCell, layout_of, read_rows

# What forms mostly let people choose; other words are votes, too, but no form is known by them.
CHOICES = VOTES.union(TRUTHS)
MOST_HEADER_ROWS = 3
# What stands below the title of a question that has one column alone.
_ONE_COLUMN = frozenset({"response", "open_ended_response", "selected_choice", "antwort", "offene_antwort"})
# Columns beside those of a question's rows, which hold no votes.
_NO_ROW = frozenset(
    {
        *("other_please_specify", "please_specify", "comment", "comments", "text", "display_order"),
        *("sonstiges_bitte_angeben", "kommentar", "kommentare"),
    }
)
_OF_SURVEYMONKEY = frozenset({"respondent_id", "collector_id"})
# Qualtrics has names of columns, their texts and such ids, in a row each.
_IMPORT_ID = re.compile(r'\{\s{0,4}"ImportId"')
_OLD_NAME = re.compile(r"V\d{1,4}")
_OF_ROW = re.compile(r"(.+)_\d+")
# Beside these: what people wrote, in which order they saw the rows, and how long they took.
_OF_NO_ROW = ("_TEXT", "_DO", "_First Click", "_Last Click", "_Page Submit", "_Click Count")
_BEHIND_MARK = re.compile(r"[?？][\"”“»«)]?(\s{0,4}-\s{0,4})")
_DASHES = (" - ", "-")
# How Qualtrics marks responses that the survey's author gave to try it: in words, by number, by channel.
_PREVIEWS = {
    "status": frozenset({"survey preview", "survey test", "1", "2", "9", "17"}),
    "distribution_channel": frozenset({"preview", "test"}),
}
_TICKED, _NOT_TICKED = frozenset({"1", "true", "x"}), frozenset({"", "0", "false"})


class Heading(NamedTuple):
    """What stands above a column: all of it, and the question and its row where the file parts them.

    title: empty where the column holds no votes.
    """

    text: str
    title: str
    row: str = ""


class _HeaderRows(NamedTuple):
    """The header rows of a file, so many; codes: the names that it has for columns beside their texts."""

    number: int
    headings: list[Heading]
    codes: Sequence[str]
    is_sure: bool


class _Choice(NamedTuple):
    """What a tick in a column says: the answer that it is about, as a column, and the label."""

    name: str
    label: str


@dataclass
class Survey:
    """An export with several header rows: its columns by their names, and how rows are read.

    words: what the first rows have in each column. codes: the names of columns by what the file's first row
    calls them. is_sure: whether nothing but the export of a survey begins so. previews: how many rows were
    left out because nobody responded.
    """

    source: Source
    headings: Mapping[str, Heading]
    words: Mapping[str, set[str]]
    codes: Mapping[str, str]
    is_sure: bool
    previews: int
    _names: Sequence[str]
    _choices: Mapping[str, _Choice]
    _count: int

    def rows(self) -> Iterator[Row | Problem]:
        """Yield the responses, each under the names of columns, without previews."""
        marks = [(self.codes[key], words) for key, words in _PREVIEWS.items() if key in self.codes]
        above = self._count
        for row in read_rows(self.source, has_header="no"):
            if isinstance(row, Problem):
                yield row
                continue
            if above:
                above -= 1
                continue
            values = dict(zip(self._names, row.values.values(), strict=True))
            if any(values[name].strip().casefold() in words for name, words in marks):
                self.previews += 1
                continue
            try:
                yield Row(row.line, self._with_votes(values) if self._choices else values)
            except BadCell as error:
                yield self.source.error(error.code, error.message, line=row.line, column=error.column)

    def _with_votes(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return a response in which the ticks of an answer are one vote; raises `BadCell`."""
        joined: dict[str, str] = {}
        for name, value in values.items():
            choice = self._choices.get(name)
            if choice is None:
                joined[name] = value
                continue
            vote = joined.setdefault(choice.name, "")
            if _is_ticked(name, value, choice.label):
                if vote:
                    message = (
                        f"“{choice.name[:60]}” has several choices in this row, but a vote is a single one. "
                        "Delete the others."
                    )
                    raise BadCell(name, "not_one_choice", message)
                joined[choice.name] = choice.label
        return joined

    def remarks(self) -> Iterator[Problem]:
        """Yield what there is to say once all rows are read."""
        if self.previews:
            responses = (
                "1 response is a preview or test of the survey, so it is"
                if self.previews == 1
                else f"{self.previews:,} responses are previews or tests of the survey, so they are"
            )
            yield self.source.warning("previews_left_out", f"{responses} not imported.", line=1)


def _is_ticked(name: str, value: str, label: str) -> bool:
    word = value.strip().casefold()
    if word == label.casefold() or word in _TICKED:
        return True
    if word in _NOT_TICKED:
        return False
    message = f"“{name[:60]}” must be empty or hold its choice, “{label[:60]}”; it holds “{value[:60]}.”"
    raise BadCell(name, "not_one_choice", message)


def survey_in(source: Source) -> Survey | None:
    """Return how a table with several header rows is read; None where it has one, or is no table."""
    if not source.path.is_file() or layout_of(source) not in ("csv", "tsv"):
        return None
    # A problem is told when all rows are read.
    first = islice(read_rows(source, has_header="no"), MOST_HEADER_ROWS + ROWS_LOOKED_AT)
    rows = [[cell.strip() for cell in row.values.values()] for row in first if isinstance(row, Row)]
    found = _header_rows(rows[:MOST_HEADER_ROWS])
    if found is None:
        return None
    responses = rows[found.number :]
    headings = _without_boxes(found.headings, responses)
    names = _unique([heading.text for heading in headings], found.codes)
    choices = {names[place]: choice for place, choice in _choices_among(headings)}
    named: dict[str, Heading] = {}
    words: dict[str, set[str]] = {}
    for place, (name, heading) in enumerate(zip(names, headings, strict=True)):
        if choice := choices.get(name):
            row_of_answer = heading.row.rpartition(_DASHES[0])[0]
            named[choice.name] = Heading(choice.name, heading.title, row_of_answer)
            words.setdefault(choice.name, set()).add(choice.label.casefold())
        else:
            named[name] = heading
            words[name] = {row[place].casefold() for row in responses} - {""}
    # Of two columns with one code the first is the tool's own.
    codes = {key_of(code): name for code, name in zip(found.codes[::-1], names[::-1], strict=True) if code}
    return Survey(source, named, words, codes, found.is_sure, 0, names, choices, found.number)


def _header_rows(rows: Sequence[list[str]]) -> _HeaderRows | None:
    """Return the header rows among the first rows of a file, if there are several."""
    if len(rows) < 2:
        return None
    first, second = rows[:2]
    for count in range(2, len(rows) + 1):
        # Somebody may have deleted the texts.
        if all(_IMPORT_ID.match(cell) for cell in rows[count - 1] if cell) and any(rows[count - 1]):
            texts = [text or code for code, text in zip(first, rows[count - 2], strict=True)]
            return _HeaderRows(count, _by_text(first, texts), first, is_sure=True)
    if _is_below_codes(first, second):
        texts = [text or code for code, text in zip(first, second, strict=True)]
        return _HeaderRows(2, _by_text(first, texts), _old_codes(first, second), is_sure=True)
    if _is_below_titles(first, second):
        is_sure = set(map(key_of, first)) >= _OF_SURVEYMONKEY
        return _HeaderRows(2, _by_rows(first, second), [""] * len(first), is_sure=is_sure)
    return None


def _is_below_codes(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the second row has the texts of columns whose names are in the first, as Qualtrics had it."""
    return any(
        key_of(text) == "response_id" and (key_of(code) == "response_id" or _OLD_NAME.fullmatch(code))
        for code, text in zip(first, second, strict=True)
    )


def _old_codes(first: Sequence[str], second: Sequence[str]) -> list[str]:
    return [text if _OLD_NAME.fullmatch(code) else code for code, text in zip(first, second, strict=True)]


def _is_below_titles(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the second row has the rows of questions whose titles are in the first.

    A title stands once, above the first of its columns, and nothing below what is no question.
    """
    if not first[0] or second[0]:
        return False
    titles = [title for title, row in zip(first, second, strict=True) if row]
    if all(key_of(row) in _ONE_COLUMN for row in second if row):
        return bool(titles)
    return len(set(titles)) < len(titles) or "" in titles


def _by_rows(first: Sequence[str], second: Sequence[str]) -> list[Heading]:
    headings, title = [], ""
    for above, row in zip(first, second, strict=True):
        title = above or (title if row else "")
        if not row or key_of(row) in _ONE_COLUMN:
            headings.append(Heading(title, title))
        else:
            headings.append(_heading(f"{title} [{row}]", title, row))
    return headings


def _by_text(codes: Sequence[str], texts: Sequence[str]) -> list[Heading]:
    headings: list[Heading] = []
    for _, group in groupby(zip(codes, texts, strict=True), key=lambda each: _question_of(each[0])):
        found = list(group)
        start, end = _place_of_dash(found)
        for code, text in found:
            if not end or key_of(text[end:]) in _ONE_COLUMN:
                headings.append(Heading(text, text[:start] if end else text))
            else:
                row = "" if code.endswith(_OF_NO_ROW) else text[end:]
                headings.append(_heading(text, text[:start], row))
    return headings


def _question_of(code: str) -> str:
    match = _OF_ROW.fullmatch(code)
    return match[1] if match else code


def _place_of_dash(columns: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Return where the dash between a question and its rows begins and ends; zeros where there is none.

    columns: of one question, as code and text.
    """
    texts = [text for _, text in columns]
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(min(texts), max(texts), strict=False))
    shared = "".join(letter for letter, _ in alike)
    if match := _BEHIND_MARK.search(shared):
        return match.span(1)
    if not _OF_ROW.fullmatch(columns[0][0]):
        return 0, 0
    # A single text is no sure sign of the old way to write a dash.
    dash = next((each for each in _DASHES[: len(texts)] if each in shared), "")
    return (shared.rindex(dash), shared.rindex(dash) + len(dash)) if dash else (0, 0)


def _heading(text: str, title: str, row: str) -> Heading:
    is_row = bool(row) and key_of(row) not in _NO_ROW
    return Heading(text, title, row) if is_row else Heading(text, "")


def _without_boxes(headings: Sequence[Heading], rows: Sequence[list[str]]) -> list[Heading]:
    """Take questions out that people answered by ticking boxes: a cell there repeats what stands above it."""
    places: dict[str, list[int]] = {}
    for place, heading in enumerate(headings):
        if heading.row:
            places.setdefault(heading.title, []).append(place)
    boxes = {
        title
        for title, found in places.items()
        if _are_boxes([headings[place].row.casefold() for place in found], _cells_at(found, rows))
    }
    return [Heading(each.text, "") if each.row and each.title in boxes else each for each in headings]


def _cells_at(places: Sequence[int], rows: Sequence[list[str]]) -> list[list[str]]:
    return [[row[place].casefold() for place in places] for row in rows]


def _are_boxes(labels: Sequence[str], rows: Sequence[list[str]]) -> bool:
    filled = [[pair for pair in zip(labels, cells, strict=True) if pair[1]] for cells in rows]
    if not any(filled) or any(label != cell for pairs in filled for label, cell in pairs):
        return False
    # An answer “Yes” may well be judged “Yes,” but nobody ticks both “Yes” and “No.”
    return not CHOICES.issuperset(labels) or (len(labels) > 1 and all(len(pairs) < 2 for pairs in filled))


def _unique(texts: Sequence[str], codes: Sequence[str]) -> list[str]:
    """Return names of columns, each once: what stands above several gets their code, or their number."""
    names: dict[str, None] = {}
    for number, (text, code) in enumerate(zip(texts, codes, strict=True), 1):
        name = text or f"column {number}"
        if name in names:
            name = f"{name} ({code or f'column {number}'})"
        while name in names:
            name += "_"
        names[name] = None
    return list(names)


def _choices_among(headings: Sequence[Heading]) -> Iterator[tuple[int, _Choice]]:
    """Yield the columns, by place, that stand for one choice of one answer each (“Ann - Yes”)."""
    for title, group in groupby(enumerate(headings), key=lambda each: each[1].title):
        found = [(place, *heading.row.rpartition(_DASHES[0])[::2]) for place, heading in group if heading.row]
        answers = dict.fromkeys(answer for _, answer, _ in found)
        labels = dict.fromkeys(label for _, _, label in found)
        pairs = {(answer, label) for _, answer, label in found}
        is_whole = len(pairs) == len(found) == len(answers) * len(labels)
        is_grid = len(answers) > 1 or all(label.casefold() in CHOICES for label in labels)
        if is_whole and is_grid and len(labels) > 1 and "" not in answers:
            for place, answer, label in found:
                yield place, _Choice(f"{title} [{answer}]", label)
