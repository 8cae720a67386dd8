"""Rows that are not as their format says are read or refused by line, whatever the format; none breaks it."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import pytest

from annotation.items.formats.records import DEEPEST, Problem
from annotation.items.formats.registry import FORMATS
from tests.annotation.items.formats.conftest import Read, Reading

Place = tuple[str | int, ...]
WHO = "Who carved the fountain?"
# Stands for lists in lists, which `json` itself would not write; it reads them where little else is going on.
DEEP = "@deep@"
DEEP_LEVELS = 900
DROPPED = "dropped"
OTHERS: tuple[Any, ...] = (
    *(None, True, 5, 1e300, "", "x", '["\\ud800"]', "['a\\x00b']", DEEP),
    *([], [None], [["x"]], [{"role": ["user"], "content": "x"}], [{"type": {"a": 1}}]),
    *({}, {"role": ["user"]}, {"messages": [{"role": {"a": 1}}]}, {"text": [{"a": 1}]}),
)


class Sample(NamedTuple):
    """A good row of a format, and how a file holds rows of it; as lines of JSON where nothing is said."""

    row: Any
    name: str = "x.jsonl"
    around: Callable[[list[Any]], Any] | None = None
    # The rows of a log are events, several of which make one record.
    is_log: bool = False
    # Votes on one answer are joined.
    is_joined: bool = False


def in_squad(rows: list[Any]) -> Any:
    return {"version": "2", "data": [{"title": "t", "paragraphs": [{"context": "c", "qas": rows}]}]}


def by_columns(rows: list[Any]) -> Any:
    names = {name: None for row in rows if isinstance(row, dict) for name in row}
    return {
        name: {
            str(number): row[name] for number, row in enumerate(rows) if isinstance(row, dict) and name in row
        }
        for name in names
    }


SAMPLES = {
    "generic": Sample(
        {"question": WHO, "id": "a", "gold": ["Ada"], "prediction": "Ida", "system": "s", "confidence": 0.5}
        | {"tags": ["t"], "metadata": {"a": {"b": 1}}, "dataset": "d", "reference_count": 3}
    ),
    "openqa-eval-votes": Sample(
        {
            "Question": WHO,
            "Model answer": "Ida",
            "annotator1": "Yes",
            "annotator2": "No",
            "Acceptable?": "Yes",
        }
    ),
    "openqa-eval-verdicts": Sample(
        {"id": "1", "Question": WHO, "Model answer": "Ida", "Acceptable?": "Yes", "GPT4 output": "Yes."}
    ),
    "openqa-eval-outputs": Sample({"question": WHO, "answer": ["Ada"], "prediction": "Ida"}),
    "evouna": Sample(
        {
            "question": WHO,
            "golden_answer": "Ada/A.",
            "answer_fid": "Ida",
            "judge_fid": True,
            "improper": False,
        }
    ),
    "gpt3qa": Sample(
        {"question": WHO, "gold_answer": ["Ada"], "prediction": "Ida", "confidence": 0.5},
        "x_preds.json",
        list,
    ),
    "efficientqa-release": Sample(
        {
            "question": WHO,
            "answer": ["Ada"],
            "def_correct_predictions": ["A."],
            "poss_correct_predictions": [],
        }
        | {"def_incorrect_predictions": ["Ida"], "answer_and_def_correct_predictions": ["Ada", "A."]}
    ),
    "squad": Sample(
        {"id": "a", "question": WHO, "answers": [{"text": "Ada", "answer_start": 1}], "is_impossible": False},
        "x.json",
        in_squad,
    ),
    "squad-rows": Sample({"id": "a", "question": WHO, "answers": {"text": ["Ada"], "answer_start": [1]}}),
    "squad-predictions": Sample("Ada", "x.json", lambda rows: {f"s{n}": row for n, row in enumerate(rows)}),
    "triviaqa": Sample(
        {"Question": WHO, "QuestionId": "a", "Answer": {"Value": "Ada", "Aliases": ["A."]}},
        "x.json",
        lambda rows: {"Data": rows},
    ),
    "triviaqa-rows": Sample(
        {"question": WHO, "question_id": "a", "answer": {"value": "Ada", "aliases": ["A."]}}
    ),
    "popqa": Sample({"id": 7, "subj": "s", "prop": "p", "question": WHO, "possible_answers": '["Ada"]'}),
    "webquestions": Sample({"utterance": WHO, "targetValue": "(list (description Ada))"}, "x.json", list),
    "webquestions-rows": Sample({"url": "u", "question": WHO, "answers": ["Ada"]}),
    "msmarco": Sample(
        {"query": WHO, "query_id": 4, "query_type": "PERSON", "answers": ["Ada"]}, "x.json", by_columns
    ),
    "retrieved": Sample(
        {
            "id": "a",
            "dataset": "d",
            "question": WHO,
            "target": "Ada",
            "answers": ["Ada"],
            "ctxs": [{"text": "a"}],
        }
        | {"prediction": "Ida"}
    ),
    "kilt": Sample({"id": "a", "input": WHO, "output": [{"answer": "Ada", "provenance": []}], "meta": {}}),
    "ragas": Sample(
        {"user_input": [{"role": "user", "content": [{"type": "text", "text": WHO}]}], "reference": "Ada"}
        | {"response": "Ida"}
    ),
    "rag-rows": Sample({"id": "a", "question": WHO, "answer": "Ida", "ground_truth": "Ada"}),
    "langfuse": Sample(
        {"id": "a", "input": {"messages": [{"role": "user", "content": WHO}]}, "output": {"answer": "Ida"}}
        | {"expectedOutput": {"answer": "Ada"}}
    ),
    "inspect-log": Sample(
        {"id": 1, "epoch": 2, "input": WHO, "target": ["Ada"]}
        | {"output": {"model": "m", "choices": [{"message": {"content": "Ida"}}], "completion": "Ida"}},
        "x.json",
        lambda rows: {"eval": {"task": "qa"}, "samples": rows},
    ),
    "lm-eval-samples": Sample(
        {"doc_id": 0, "doc": {"question": WHO, "choices": ["Ada"]}, "target": 0, "resps": [["Ida"]]}
        | {"filtered_resps": ["Ida"]}
    ),
    "bioasq": Sample(
        {"id": "a", "body": WHO, "type": "factoid", "exact_answer": [["Ada"]], "ideal_answer": ["A."]}
        | {"snippets": [{"text": "a", "document": "d"}]},
        "x.json",
        lambda rows: {"questions": rows},
    ),
    "deepeval": Sample(
        {"input": WHO, "actualOutput": "Ida", "expectedOutput": "Ada", "context": ["c"]}
        | {"retrievalContext": ["r"]}
    ),
    "promptfoo": Sample(
        {"vars": {"question": WHO, "reference": "Ada"}, "prompt": {"raw": "x"}, "promptIdx": 0}
        | {"provider": {"id": "m"}, "response": {"output": "Ida"}}
        | {"testCase": {"assert": [{"type": "equals", "value": "Ada"}]}},
        "x.json",
        lambda rows: {"results": {"prompts": [{"provider": "m"}, {"provider": "m"}], "results": rows}},
    ),
    "helm": Sample(
        {
            "instance": {
                "id": "a",
                "input": {"text": WHO},
                "references": [{"output": {"text": "Ada"}, "tags": ["correct"]}],
            },
            "request": {"model": "m"},
            "result": {"completions": [{"text": "A"}]},
            "output_mapping": {"A": "Ida"},
            "train_trial_index": 1,
        },
        "x.json",
        lambda rows: {"request_states": rows},
    ),
    "openai-evals": Sample(
        {
            "run_id": "r",
            "event_id": 0,
            "sample_id": "s",
            "type": "sampling",
            "spec": {"completion_fns": ["m"]},
        }
        | {"data": {"prompt": [{"role": "user", "content": WHO}], "sampled": ["Ida"], "expected": ["Ada"]}},
        is_log=True,
    ),
    "batch-output": Sample(
        {"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": "Ida"}}]}}}
        | {"result": {"message": {"content": [{"text": "Ida"}]}}}
    ),
    "label-studio": Sample(
        {"id": 1, "data": {"question": WHO, "answer": "Ida"}}
        | {
            "annotations": [
                {
                    "id": 3,
                    "completed_by": {"id": 1},
                    "result": [{"type": "choices", "from_name": "c", "value": {"choices": ["good"]}}],
                }
            ]
        },
        "x.json",
        list,
        is_joined=True,
    ),
    "mturk": Sample(
        {"HITId": "h", "AssignmentId": "a", "WorkerId": "W1", "AssignmentStatus": "Approved"}
        | {"Input.question": WHO, "Input.answer": "Ida"}
        | {"Answer.v": "good", "Answer.taskAnswers": '[{"v": {"no": false, "good": true}}]'},
        is_joined=True,
    ),
    "form": Sample(
        {"Timestamp": "1", "Name": "Ann", "Who wrote it? [Ida]": "good", "Comments": "Fine."},
        is_joined=True,
    ),
    "argilla": Sample(
        {"id": "r", "fields": {"question": WHO, "answer": "Ida"}, "metadata": {"model": "m"}}
        | {"responses": {"v": [{"value": "good", "user_id": "u", "status": "submitted"}]}},
        "x.json",
        list,
        is_joined=True,
    ),
    "toloka": Sample(
        {"INPUT:question": WHO, "INPUT:answer": "Ida", "OUTPUT:v": "good"}
        | {"ASSIGNMENT:worker_id": "w1", "ASSIGNMENT:status": "APPROVED"},
        is_joined=True,
    ),
    "prodigy": Sample(
        {"question": WHO, "prediction": "Ida", "_task_hash": 1, "answer": "accept", "accept": ["good"]}
        | {"_annotator_id": "ann", "_session_id": "ann"},
        is_joined=True,
    ),
    "listed-votes": Sample(
        {
            "question": WHO,
            "prediction": "Ida",
            "votes": [{"user": "ann", "label": "good", "comment": "Yes."}],
        },
        is_joined=True,
    ),
    "haystack": Sample(
        {"query": WHO, "answers": [{"answer": "Ida", "score": 0.5, "context": "Ida.", "document_id": "d"}]}
    ),
    "choices": Sample({"question": WHO, "choices": ["Ada", "Ida"], "answer": 0, "prediction": "A"}),
    "scored-choices": Sample({"input": WHO, "target_scores": {"Ada": 1, "Ida": 0}}),
    "yes-or-no": Sample({"question": WHO, "id": "a", "answer": True, "passage": "p", "prediction": False}),
    "drop": Sample(
        {
            "passage": "p",
            "qa_pairs": [
                {
                    "question": WHO,
                    "query_id": "a",
                    "answer": {"number": "", "date": {"day": "1"}, "spans": []},
                    "validated_answers": [{"number": "3", "spans": ["Ada"]}],
                }
            ],
        },
        "x.json",
        lambda rows: {f"p{n}": row for n, row in enumerate(rows)},
    ),
    "ambigqa": Sample(
        {
            "question": WHO,
            "id": "a",
            "annotations": [
                {"type": "singleAnswer", "answer": ["Ada"]},
                {"type": "multipleQAs", "qaPairs": [{"question": WHO, "answer": ["Ida"]}]},
            ],
        }
    ),
    "asqa": Sample(
        {"ambiguous_question": WHO, "annotations": [{"long_answer": "Ada"}]},
        "x.json",
        lambda rows: {"dev": {f"q{n}": row for n, row in enumerate(rows)}},
    ),
    "mt-bench": Sample(
        {"question_id": 1, "turns": [WHO, "When?"], "reference": ["Ada", "1"], "category": "c"}
    ),
    "promptfoo-table": Sample(
        {"question": WHO, "__expected": "equals: Ada", "[a:b] {{question}}": "[PASS] Ada"}
    ),
    "hotpotqa-predictions": Sample(
        "Ada", "x.json", lambda rows: {"answer": {f"h{n}": row for n, row in enumerate(rows)}, "sp": {}}
    ),
}
# Files of these are no JSON: a row is cells between tabs.
TABLES = {
    "dpr-questions": ("x.qa.csv", (WHO, "['Ada']")),
    "trec-patterns": ("x.tsv", ("T8", "factoid", WHO, "Ada")),
}
CELLS = ("", "[", '["\\ud800"]', "['\\ud800']", "['a\\x00b']", '["a", null, "\\u0000"]', "[" * DEEP_LEVELS)


def places_in(value: Any, place: Place = ()) -> Iterator[Place]:
    """Yield where each value within a row stands, the row itself first."""
    yield place
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_in(inner, (*place, key))


def changed(row: Any, place: Place, other: Any) -> Any:
    """Return the row with another value at a place, or without what stands there."""
    if not place:
        return other
    row = deepcopy(row)
    within = row
    for key in place[:-1]:
        within = within[key]
    if other is DROPPED:
        del within[place[-1]]
    else:
        within[place[-1]] = other
    return row


def content_of(sample: Sample, second: Any) -> str:
    rows = [sample.row, second]
    if sample.around:
        text = json.dumps(sample.around(rows))
    else:
        text = "".join(json.dumps(row) + "\n" for row in rows)
    return text.replace(f'"{DEEP}"', "[" * DEEP_LEVELS + "]" * DEEP_LEVELS)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for pair in value.items():
            yield from texts_in(pair)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_in(each)
    elif hasattr(value, "__slots__"):
        for name in value.__slots__:
            yield from texts_in(getattr(value, name))


def require_storable(reading: Reading) -> None:
    for text in texts_in(reading.records):
        assert "\0" not in text
        text.encode()


@pytest.mark.parametrize("key", SAMPLES)
class TestEachFormat:
    def test_reads_the_good_rows(self, read: Read, key: str) -> None:
        sample = SAMPLES[key]
        reading = read(sample.name, content_of(sample, sample.row), key)
        assert reading.errors == []
        assert len(reading.records) == (1 if sample.is_log or sample.is_joined else 2)

    def test_reads_any_other_row_or_refuses_it(self, read: Read, key: str) -> None:
        sample = SAMPLES[key]
        for place in places_in(sample.row):
            for other in (*((DROPPED,) if place else ()), *OTHERS):
                content = content_of(sample, changed(sample.row, place, other))
                try:
                    reading = read(sample.name, content, key)
                except Exception as error:
                    pytest.fail(f"{place} as {other!r}: {error!r}")
                assert all(isinstance(problem, Problem) for problem in reading.errors)
                assert all(problem.line and problem.message for problem in reading.errors), (place, other)
                require_storable(reading)

    def test_refuses_a_row_of_nothing_by_its_line(self, read: Read, key: str) -> None:
        sample = SAMPLES[key]
        if sample.around is by_columns or sample.is_log:
            pytest.skip("columns hold no rows of nothing, and logs other events besides")
        (error, *_) = read(sample.name, content_of(sample, {}), key).errors
        assert error.line == (1 if sample.around else 2)


def test_every_format_is_tried() -> None:
    assert FORMATS.keys() == SAMPLES.keys() | TABLES.keys()


@pytest.mark.parametrize("key", TABLES)
def test_any_other_cell_is_read_or_refused(read: Read, key: str) -> None:
    name, cells = TABLES[key]
    for place in range(len(cells)):
        for other in CELLS:
            second = [other if at == place else cell for at, cell in enumerate(cells)]
            reading = read(name, "\n".join("\t".join(row) for row in (cells, second)), key)
            assert all(problem.line == 2 for problem in reading.errors)
            require_storable(reading)


class TestWhatWasFound:
    @pytest.mark.parametrize(
        ("key", "second", "column", "code"),
        [
            ("openqa-eval-votes", {"Model answer": "Ida", "annotator1": "Yes"}, "Question", "missing_column"),
            ("openqa-eval-votes", {"Question": WHO, "annotator1": "Yes"}, "Model answer", "missing_column"),
            ("openqa-eval-votes", {"Question": ["x"], "Model answer": "Ida"}, "Question", "not_text"),
            (
                "openqa-eval-verdicts",
                {"Model answer": "a", "Acceptable?": "No"},
                "Question",
                "missing_column",
            ),
            (
                "openqa-eval-verdicts",
                {"Question": WHO, "Acceptable?": "No"},
                "Model answer",
                "missing_column",
            ),
            ("openqa-eval-verdicts", {"Question": WHO, "Model answer": "a"}, "Acceptable?", "missing_column"),
            (
                "ragas",
                {"user_input": [{"role": ["user"], "content": "x"}], "reference": "r"},
                "question",
                "missing_question",
            ),
            (
                "ragas",
                {"user_input": [{"type": {"a": 1}, "content": "x"}], "reference": "r"},
                "question",
                "missing_question",
            ),
        ],
    )
    def test_it_is_refused_by_line_and_the_rest_is_read(
        self, read: Read, key: str, second: Any, column: str, code: str
    ) -> None:
        sample = SAMPLES[key]
        reading = read(sample.name, content_of(sample, second) + json.dumps(sample.row), key)
        assert [(each.line, each.column, each.code) for each in reading.errors] == [(2, column, code)]
        assert [record.line for record in reading.records] == [1, 3]


class TestDepth:
    @pytest.mark.parametrize(("levels", "codes"), [(DEEPEST, []), (DEEPEST + 1, ["too_deep"])])
    def test_metadata_has_fifty_levels_at_most(self, read: Read, levels: int, codes: list[str]) -> None:
        nested = "[" * (levels - 1) + "]" * (levels - 1)
        row = f'{{"question": "{WHO}", "prediction": "Ida", "metadata": {{"a": {nested}}}}}'
        reading = read("x.jsonl", f'{{"question": "{WHO}"}}\n{row}\n')
        assert [(each.code, each.line, each.column) for each in reading.errors] == [
            (code, 2, "metadata") for code in codes
        ]
