"""Every reader's work grows with the file and no faster, whatever the file looks like."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.items.formats import registry
from annotation.items.formats.shapes import datasets, harnesses, logs
from tests.counted_work import counted

# Doubling the file may at most double the steps; the rest is for what each file costs once.
MARGIN = 2.5
SIZE = 1_000
COUNTED = ("annotation.items.formats", "analysis")
KNOWN_QUESTIONS = ("who wrote hamlet", "when was it", "is it so ?")

HEADERS = {
    "generic": ["question", "answer", "prediction"],
    "openqa-eval-outputs": ["question", "answer", "prediction"],
    "openqa-eval-votes": ["Question", "Model answer", "annotator1"],
    "openqa-eval-verdicts": ["Question", "Model answer", "Acceptable?"],
    "evouna": ["question", "golden_answer", "answer_a", "judge_a"],
    "gpt3qa": ["question", "gold_answer", "prediction", "confidence"],
    "efficientqa-release": [
        *("question", "answer", "def_correct_predictions", "poss_correct_predictions"),
        *("def_incorrect_predictions", "answer_and_def_correct_predictions"),
    ],
    "trec-patterns": ["question", "answer", "prediction"],
    # Of the shapes that are read alike, those that do most with a cell.
    "popqa": ["question", "possible_answers", "subj", "prop", "obj"],
    "webquestions": ["utterance", "targetValue"],
    "langfuse": ["input", "expectedOutput"],
    "openai-evals": ["sample_id", "type", "data"],
    "squad-predictions": ["question", "answer", "prediction"],
    "label-studio": ["question", "answer", "model"],
    "mturk": ["Input.question", "Input.answer", "WorkerId", "Answer.v"],
    "form": ["Question: who wrote it? Answer: Ida", "Who wrote it? [Ann]", "Name"],
    "argilla": ["question", "answer", "v.responses", "v.responses.users"],
    "toloka": ["INPUT:question", "INPUT:answer", "ASSIGNMENT:worker_id", "OUTPUT:v"],
    "prodigy": ["question", "prediction", "answer", "_annotator_id"],
    "listed-votes": ["question", "prediction", "votes"],
    "choices": ["question", "choices", "answer", "prediction"],
    "scored-choices": ["input", "target_scores"],
    "promptfoo-table": ["question", "__expected", "[a:b] {{question}}"],
    "drop": ["passage", "qa_pairs"],
    "yes-or-no": ["question", "answer", "passage"],
    "ambigqa": ["question", "annotations"],
    "asqa": ["ambiguous_question", "annotations"],
    "mt-bench": ["question_id", "turns", "reference"],
}
LISTS = {"answer", "def_correct_predictions", "poss_correct_predictions", "def_incorrect_predictions"}


def _row(header: list[str], filling: str, *, number: int = 0) -> dict[str, Any]:
    fixed = {"annotator1": "Yes", "Acceptable?": "Yes", "judge_a": "True", "confidence": 0.5}
    row: dict[str, Any] = {name: fixed.get(name, filling) for name in header}
    row[header[0]] = f"{filling} {number}"
    if "answer_and_def_correct_predictions" in row:
        row.update({name: [] for name in LISTS} | {"answer": [filling]})
        row["answer_and_def_correct_predictions"] = [filling]
    return row


def _tsv(*rows: list[str]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def _cell(make: Callable[[int], str]) -> Callable[[list[str], int], dict[str, str]]:
    """A cell of any layout, made as long as asked."""

    def files(header: list[str], size: int) -> dict[str, str]:
        text = make(size)
        row = _row(header, text)
        return {
            "file.tsv": _tsv(header, [str(row[name]) for name in header]),
            "file.jsonl": json.dumps(row) + "\n",
            "file.json": json.dumps([row]),
            "glued.tsv": _tsv(header, [text, *["Yes"] * (len(header) - 2)]),
            "pattern.txt": f"1 {text}\n",
        }

    return files


def _nested(size: int) -> str:
    return "[" * size + "]" * size


def _rows(make: Callable[[int], str]) -> Callable[[list[str], int], dict[str, str]]:
    def files(header: list[str], size: int) -> dict[str, str]:
        rows = [_row(header, make(number), number=number) for number in range(size // 10)]
        table = [[str(value) for value in row.values()] for row in rows]
        return {
            "file.tsv": _tsv(header, *table),
            "file.csv": _tsv(header, *table).replace("\t", ","),
            "file.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
            "file.json": json.dumps(rows),
            "short.tsv": _tsv(header, *[["x"]] * (size // 10)),
            "patterns.txt": "".join(f"{number} a\n" for number in range(size // 10)),
        }

    return files


def _many_columns(header: list[str], size: int) -> dict[str, str]:
    names = [*header, *(f"answer_s{number}" for number in range(size))]
    same = [*header, *["again"] * (size)]
    return {
        "file.csv": ",".join(names) + "\n" + ",".join(["a"] * len(names)) + "\n",
        "same.csv": ",".join(same) + "\n" + ",".join(["a"] * len(same)) + "\n",
        "file.tsv": _tsv(names, ["a"] * len(names)),
        "file.jsonl": json.dumps(dict.fromkeys(names, "a")) + "\n",
        "keep.csv": ",".join(names) + "\n" + ",".join(["a"] * len(names)) + "\n",
    }


def _repeated_keys(header: list[str], size: int) -> dict[str, str]:
    pairs = [f'"key{number}": 1' for number in range(size)]
    last = "{" + ", ".join([*pairs, '"last": 1', '"last": 2']) + "}"
    return {"file.jsonl": last + "\n", "file.json": f"[{last}]"}


def _many_golds(header: list[str], size: int) -> dict[str, str]:
    golds = [f"gold {number}" for number in range(size // 10)]
    gold = next((name for name in header if name in {"answer", "gold_answer", "golden_answer"}), header[1])
    files = {}
    for name, value in {
        "list": golds,
        "json": json.dumps(golds),
        "python": repr(golds),
        "numpy": "[" + " ".join(map(repr, golds)) + "]",
        "open": repr(golds)[:-1],
        "escaped": json.dumps(json.dumps(golds)),
        "pipe": " | ".join(golds),
        "slash": "/".join(golds),
    }.items():
        files[f"{name}.jsonl"] = json.dumps({**_row(header, "a"), gold: value}) + "\n"
    return files


def _annotation(row: dict[str, Any]) -> dict[str, Any]:
    chosen = {"from_name": "verdict", "type": "choices", "value": {"choices": ["correct"]}}
    return {
        "completed_by": 1,
        "result": [chosen, {"from_name": "why", "type": "textarea", "value": {"text": row}}],
    }


def _document(make: Callable[[int], str]) -> Callable[[list[str], int], dict[str, str]]:
    """An object that holds rows, in each arrangement."""

    def files(header: list[str], size: int) -> dict[str, str]:
        rows = [_row(header, make(number), number=number) for number in range(size // 10)]
        paragraphs = [{"qas": rows, "context": make(size)}]
        return {
            "list.json": json.dumps({"version": 1, "data": rows}),
            "by_id.json": json.dumps({f"q{number}": row for number, row in enumerate(rows)}),
            "columns.json": json.dumps(
                {name: {str(number): row[name] for number, row in enumerate(rows)} for name in header}
            ),
            "squad.json": json.dumps({"data": [{"paragraphs": paragraphs}]}),
            "tasks.json": json.dumps([{"data": row, "annotations": [_annotation(row)]} for row in rows]),
            "answers.json": json.dumps({f"q{number}": make(number) for number in range(size // 10)}),
            "cut.json": json.dumps({"version": 1, "data": rows})[:-size],
        }

    return files


def _several_headers(header: list[str], size: int) -> dict[str, str]:
    """Surveys with many columns below few questions, below one each, and with all in one cell."""
    above = ["Respondent ID", "Collector ID"]
    rows = [f"a{number} - {word}" for number in range(size // 2) for word in ("Yes", "No")]
    codes = ["ResponseId", *(f"Q1_{number}" for number in range(size))]
    texts = ["Response ID", *(f"Who was it - {number}" for number in range(size))]
    ids = ["{'ImportId':'a'}".replace("'", '""')] * len(codes)
    said = ["1", "2", *["No", ""] * (size // 2)]
    tables = {
        "choices": [[*above, "Who was it?", *[""] * (size - 1)], ["", "", *rows], said],
        "same": [[*above, *["Who was it?"] * size], ["", "", *["a"] * size], said],
        "titles": [[*above, *(f"Was it {number}?" for number in range(size))], ["", "", *rows], said],
        "codes": [codes, texts, [f'"{each}"' for each in ids], said[1:]],
        "texts": [codes, ["Response ID", *["? - ? - x"] * size], said[1:]],
        "dashes": [codes[:3], ["Response ID", "? - " * size, "? - " * size], said[1:4]],
    }
    return {f"{name}.csv": "".join(",".join(row) + "\n" for row in rows) for name, rows in tables.items()}


SHAPES: dict[str, Callable[[list[str], int], dict[str, str]]] = {
    "one line without a separator": lambda header, size: {
        "file.tsv": "x" * size,
        "file.csv": "x" * size,
        "file.json": "x" * size,
        "open.json": "[" + "x" * size,
        "open.jsonl": "{" + "x" * size,
    },
    "one huge cell": _cell(lambda size: "x" * size),
    "many words": _cell(lambda size: "who " * (size // 4)),
    "many quotes": _cell(lambda size: '"' * size),
    "many apostrophes": _cell(lambda size: "don't n't " * (size // 10)),
    "combining characters": _cell(lambda size: "e" + "\u0301" * size),
    "misread characters": _cell(lambda size: "â€“" * (size // 3)),
    "dashes and articles": _cell(lambda size: "the -- a " * (size // 9)),
    "separators only": _cell(lambda size: " | / " * (size // 5)),
    "white space": _cell(lambda size: "a" + " \u00a0" * (size // 2) + "b"),
    "deep nesting": _cell(_nested),
    "open brackets": _cell(lambda size: "[" * size + "]"),
    "many short lines": _rows(lambda number: "a"),
    "many different lines": _rows(lambda number: f"text {number}"),
    "blank lines": lambda header, size: {
        "file.tsv": _tsv(header) + "\n" * size,
        "file.json": "[" + "\n" * size,
    },
    "many columns": _many_columns,
    "several header rows": _several_headers,
    "one key repeated": _repeated_keys,
    "many gold answers": _many_golds,
    "objects that hold rows": _document(lambda number: f"text {number}"),
}


@pytest.fixture(scope="module")
def counting() -> Iterator[Any]:
    with counted(*COUNTED) as (load, counter):
        yield load("annotation.items.formats.registry"), load("annotation.items.formats.records"), counter


def _steps(counting: Any, key: str, path: Path) -> int:
    copied, records, counter = counting
    # Far more columns than are allowed, so that it is seen how the work would grow with them.
    source = records.Source(path.name, path, records.Limits(max_columns=1_000_000))
    options: dict[str, Any] = {spec.name: spec.default for spec in copied.FORMATS[key].options}
    options |= {"known_questions": lambda: KNOWN_QUESTIONS}
    if path.name.startswith("keep"):
        options["unknown_columns"] = "keep"
    counter.steps = 0
    copied.detect(source)
    for _ in copied.FORMATS[key].read(source, options):
        pass
    return int(counter.steps)


def steps_of_doubled(counting: Any, key: str, shape: str, folder: Path) -> Iterator[tuple[str, int, int]]:
    """Yield what each file of a shape took, and what one twice as long took."""
    header = HEADERS[key]
    once, twice = SHAPES[shape](header, SIZE), SHAPES[shape](header, 2 * SIZE)
    for name in once:
        taken = []
        for text in (once[name], twice[name]):
            path = folder / name
            path.write_text(text, encoding="utf-8")
            taken.append(_steps(counting, key, path))
        yield name, *taken


@pytest.mark.parametrize("key", HEADERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_twice_as_long_takes_at_most_twice_the_steps(
    counting: Any, key: str, shape: str, tmp_path: Path
) -> None:
    for name, once, twice in steps_of_doubled(counting, key, shape, tmp_path):
        assert twice <= MARGIN * once, f"{key}, {shape}, {name}: {once} steps, then {twice}"


class TestTheMeasure:
    """The three holes that were found by attack, put back."""

    def test_has_a_header_for_each_reader_of_its_own(self) -> None:
        shared = {shape.key for shape in (*datasets.FORMATS, *harnesses.FORMATS, *logs.FORMATS)}
        assert set(registry.FORMATS) - shared <= set(HEADERS)

    def test_sees_a_count_for_every_key(self, counting: Any, tmp_path: Path, monkeypatch: Any) -> None:
        values = sys.modules["annotation.items.formats.documents.strict_json"]
        counter = counting[2]

        def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            keys = [key for key, _ in pairs]
            next(key for key in keys if counter.call(keys.count, key) > 1)
            raise values.BadJson("repeated_key", "")

        decoder = json.JSONDecoder(object_pairs_hook=unique_keys)
        monkeypatch.setattr(values, "DECODER", decoder)
        assert self._is_caught(counting, "generic", "one key repeated", tmp_path)

    def test_sees_a_search_in_every_beginning_of_a_list(
        self, counting: Any, tmp_path: Path, monkeypatch: Any
    ) -> None:
        tables = sys.modules["annotation.items.formats.tables"]
        counter = counting[2]

        def problems(_source: Any, _line: int, header: list[str]) -> Iterator[Any]:
            for position, name in enumerate(header):
                counter.contains(name, counter.sized(header[:position]))
                yield from ()

        monkeypatch.setattr(tables, "_header_problems", problems)
        assert self._is_caught(counting, "generic", "many columns", tmp_path)

    def test_sees_a_text_normalized_at_every_end(
        self, counting: Any, tmp_path: Path, monkeypatch: Any
    ) -> None:
        beginnings = sys.modules["annotation.items.formats.tables"]
        key = sys.modules["analysis.text"].question_key
        counter = counting[2]

        def end_in(_self: Any, text: str) -> int:
            ends = range(len(text), 0, -1)
            return next((end for end in ends if key(counter.sized(text[:end])) in KNOWN_QUESTIONS), 0)

        monkeypatch.setattr(beginnings.Beginnings, "end_in", end_in)
        assert self._is_caught(counting, "openqa-eval-verdicts", "one huge cell", tmp_path)

    def _is_caught(self, counting: Any, key: str, shape: str, folder: Path) -> bool:
        measured = steps_of_doubled(counting, key, shape, folder)
        return any(twice > MARGIN * once for _, once, twice in measured)
