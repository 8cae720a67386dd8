"""Files of shapes that nothing was prepared for need at most one mapping, and come in wrong never."""

from pathlib import Path

import pytest

from annotation.items.formats import generic
from annotation.items.formats.records import Source
from annotation.items.formats.registry import detect
from tests.annotation.items.formats.conftest import Reading, read_source
from tests.annotation.items.formats.unprepared import found_shapes, known_shapes, new_shapes
from tests.annotation.items.formats.unprepared.shape_files import Meaning, ShapeFile

# What no reader reads: told in words. All but the last two are read once they are unpacked or rewritten,
# which `test_packed_files` shows.
REFUSED = frozenset(
    {
        *("excel_unicode.csv", "western.csv"),
        *("packed.jsonl.gz", "packed.zip", "workbook.xlsx"),
        "notes.yaml",
        *found_shapes.ADVICE,
    }
)


def meaning_of(reading: Reading) -> list[Meaning]:
    return [
        (
            record.question.text or record.question.external_id,
            [gold.text for gold in record.question.golds],
            {each.system: each.text for each in record.predictions},
        )
        for record in reading.records
    ]


def read_by(source: Source, file: ShapeFile, *, is_mapped: bool) -> Reading:
    if not is_mapped:
        return read_source(source, detect(source).key)
    said = {"map": dict(file.mapping)} if file.mapping else {}
    key = generic.FORMAT.key if file.mapping else detect(source).key
    return read_source(source, key, **said, **file.options)


@pytest.fixture
def source(file: ShapeFile, tmp_path: Path) -> Source:
    path = tmp_path / "file"
    path.write_bytes(file.content)
    return Source(file.name, path)


@pytest.mark.parametrize(
    "file", [*known_shapes.FILES, *new_shapes.FILES, *found_shapes.FILES], ids=lambda file: file.name
)
def test_a_file_needs_at_most_one_mapping(file: ShapeFile, source: Source) -> None:
    alone = read_by(source, file, is_mapped=False)
    if file.name in REFUSED:
        assert alone.errors or not alone.records
        return
    # Either a file says all by itself, or it is refused until somebody does.
    if not file.mapping and not file.options:
        assert alone.errors == []
        assert meaning_of(alone) == file.rows
        return
    assert alone.errors
    mapped = read_by(source, file, is_mapped=True)
    assert mapped.errors == []
    assert meaning_of(mapped) == file.rows


@pytest.mark.parametrize(
    ("name", "content", "column"),
    [
        ("long.csv", "question,response,annotator,human_label\nwho,a,ann,correct\n", ""),
        ("long.csv", "question,response,reviewer,human_mark\nwho,a,ann,correct\n", "human_mark"),
        ("form.csv", "Question,Response,Is it correct?\nwho,a,Yes\n", "Is it correct?"),
        ("wide.csv", "question,response,Annotator 1\nwho,a,1\n", ""),
        ("wide.csv", "question,response,Annotator Ann\nwho,a,1\n", "Annotator Ann"),
        (
            "records.jsonl",
            '{"fields": {"question": "who"}, "responses": {"right": [{"value": "no", "user_id": "a"}]}}\n',
            "responses.right.value",
        ),
        ("plain.csv", "question,response,colour\nwho,a,red\n", ""),
    ],
)
def test_votes_that_stay_out_are_told(tmp_path: Path, name: str, content: str, column: str) -> None:
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    warnings = read_source(Source(name, path), generic.FORMAT.key).warnings
    assert [each.column for each in warnings if each.code == "votes_left_out"] == ([column] if column else [])


REFUSED_AND_TOLD = [file for file in found_shapes.FILES if file.name in found_shapes.ADVICE]


@pytest.mark.parametrize("file", REFUSED_AND_TOLD, ids=lambda file: file.name)
def test_what_is_refused_is_told_what_to_do(file: ShapeFile, source: Source) -> None:
    (first, *_) = read_by(source, file, is_mapped=False).errors
    assert found_shapes.ADVICE[file.name] in first.message


@pytest.mark.parametrize(
    ("name", "content", "mapping", "told"),
    [
        # The second reference is about the second turn.
        (
            "turns.jsonl",
            '{"talk": ["Who was it?", "When was it?"], "reference": ["Ann", "1508"]}\n',
            {"talk.0": "question"},
            "“reference.0”",
        ),
        (
            "marked.csv",
            "question,[a:b] {{question}}\nWho was it?,[PASS] Ann\n",
            {"[a:b] {{question}}": "prediction"},
            "promptfoo",
        ),
        (
            "checked.csv",
            "question,__expected,said\nWho was it?,icontains: Ann,Ann\n",
            {"__expected": "gold", "said": "prediction"},
            "promptfoo",
        ),
    ],
)
def test_what_a_mapping_would_read_wrong_is_refused(
    tmp_path: Path, name: str, content: str, mapping: dict[str, str], told: str
) -> None:
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    (error,) = read_source(Source(name, path), generic.FORMAT.key, map=mapping).errors
    assert told in error.message


@pytest.mark.parametrize(
    ("name", "cells", "raters"),
    [
        ("Bewertung Anna", ("richtig", "falsch"), ["Anna"]),
        ("Verdict by Ann", ("correct", ""), ["Ann"]),
        # Votes on a system’s answers are of nobody by name; grades and remarks are no votes.
        ("Bewertung GPT-4", ("richtig", "falsch"), []),
        ("Bewertung Anna", ("gut", "falsch"), []),
        ("Bewertung Anna", ("", ""), []),
    ],
)
def test_a_column_named_after_a_person_has_votes_if_it_holds_nothing_else(
    tmp_path: Path, name: str, cells: tuple[str, str], raters: list[str]
) -> None:
    path = tmp_path / "file"
    rows = "".join(f"Wer war es {number}?;Ann;{cell}\n" for number, cell in enumerate(cells))
    path.write_text(f"Frage;Antwort GPT-4;{name}\n{rows}", encoding="utf-8")
    reading = read_source(Source("votes.csv", path), generic.FORMAT.key)
    votes = [vote for record in reading.records for each in record.predictions for vote in each.votes]
    assert list(dict.fromkeys(vote.rater for vote in votes)) == raters
    assert not (raters and reading.errors)


def test_a_list_without_a_vote_is_of_nobody(tmp_path: Path) -> None:
    path = tmp_path / "file"
    rows = (
        '{"query": "Who?", "response": "Ann", "label": ["correct"]}\n'
        '{"query": "When?", "response": "1", "label": []}\n'
    )
    path.write_text(rows, encoding="utf-8")
    reading = read_source(Source("doccano.jsonl", path), generic.FORMAT.key, map={"label": "vote"})
    assert reading.errors == []
    assert [len(each.votes) for record in reading.records for each in record.predictions] == [1, 0]
