"""Logs of runs: which questions were sent, what came back, and what was expected."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.columns import meaning_of
from annotation.items.formats.documents.streaming import EACH, Walk
from annotation.items.formats.records import Look, Problem, Row, Source
from annotation.items.formats.shapes.harnesses import asked_in, content_of, listed
from annotation.items.formats.shapes.shape import (
    Cells,
    Shape,
    given,
    is_object,
    is_objects,
    list_in,
    object_in,
    objects_in,
    rows_at,
)
from annotation.items.formats.tables import BadCell, read_rows

# Checks of promptfoo whose value is an answer that would be right.
CHECKS_OF_ANSWERS = frozenset(
    {
        *("equals", "contains", "icontains", "contains-any", "icontains-any", "similar", "factuality"),
        "model-graded-factuality",
    }
)


def _promptfoo(values: Cells) -> Iterator[dict[str, Any]]:
    given_vars = object_in(values, "vars")
    meanings: dict[str, Any] = {}
    for name, value in given_vars.items():
        meanings.setdefault(meaning_of(name), value)
    question, gold = meanings.get("question"), meanings.get("gold")
    texts = [value for name, value in given_vars.items() if isinstance(value, str) and not meaning_of(name)]
    if question is None:
        question = texts[0] if len(texts) == 1 else object_in(values, "prompt").get("raw")
    output = object_in(values, "response").get("output")
    yield given(
        question=question,
        id=meanings.get("id"),
        gold=listed(gold) if gold is not None else _expected(object_in(values, "testCase")),
        prediction=json.dumps(output, ensure_ascii=False) if isinstance(output, dict | list) else output,
        system=values.get("system"),
        passages=meanings.get("passages"),
        retrieved=meanings.get("retrieved"),
    )


def _expected(test: Cells) -> list[str]:
    """Return the answers that the checks of a test ask for."""
    checks = [each for each in objects_in(test, "assert") if str(each.get("type")) in CHECKS_OF_ANSWERS]
    values = [value for each in checks for value in _as_list(each.get("value"))]
    return list(dict.fromkeys(value for value in values if isinstance(value, str) and "{{" not in value))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _promptfoo_rows(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    prompts = [
        each.value
        for each in Walk(source, ("results", "prompts", EACH)).found()
        if not isinstance(each, Problem) and isinstance(each.value, dict)
    ]
    providers = [prompt.get("provider") for prompt in prompts]
    for row in rows_at(source, ("results", "results", EACH), passed_by):
        if isinstance(row, Problem):
            yield row
            continue
        system = _provider(row.values.get("provider"))
        # A model that answered by several prompts is as many systems.
        number = row.values.get("promptIdx")
        if isinstance(system, str) and providers.count(system) > 1 and isinstance(number, int):
            system = f"{system} (prompt {number + 1})"
        yield Row(row.line, {**row.values, "system": system})


def _provider(provider: Any) -> Any:
    return provider.get("label") or provider.get("id") if isinstance(provider, Mapping) else provider


PROMPTFOO = Shape(
    key="promptfoo",
    name="promptfoo: results",
    summary=(
        "promptfoo’s results as JSON: the question in vars, each model’s output, and the gold answers (from "
        "vars or, if vars has none, from the checks). Scores are not imported."
    ),
    recognized_by="a JSON object whose `results.results[]` items have `vars` and `response`",
    recognizes=lambda look: (
        is_object(look.document.get("results"), "results")
        and is_objects(look.document["results"]["results"], "vars", "response")
    ),
    items=_promptfoo,
    reads=(
        "vars",
        "response.output",
        "testCase.vars",
        "testCase.assert",
        "prompt",
        "provider",
        "promptIdx",
        "system",
    ),
    rows=_promptfoo_rows,
)


def _helm(values: Cells) -> Iterator[dict[str, Any]]:
    instance, request = object_in(values, "instance"), object_in(values, "request")
    references = [each for each in objects_in(instance, "references") if "correct" in list_in(each, "tags")]
    completions = objects_in(object_in(values, "result"), "completions")
    said = completions[0].get("text") if completions else None
    # Of a choice the letter was asked for.
    choices = object_in(values, "output_mapping")
    trial = values.get("train_trial_index")
    model = request.get("model")
    yield given(
        question=object_in(instance, "input").get("text"),
        # A changed copy of a question has its id.
        id=None if instance.get("perturbation") else instance.get("id"),
        gold=[object_in(each, "output").get("text") for each in references],
        prediction=choices.get(said.strip(), said) if isinstance(said, str) else None,
        system=f"{model} (trial {trial + 1})" if isinstance(trial, int) and trial > 0 else model,
    )


HELM = Shape(
    key="helm",
    name="HELM: scenario state",
    summary="HELM’s scenario_state.json: the input, the correct references, and the first completion.",
    recognized_by="a JSON object whose `request_states[]` items have `instance` and `request`",
    recognizes=lambda look: is_objects(look.document.get("request_states"), "instance", "request"),
    items=_helm,
    reads=(
        *("instance.input", "instance.references", "instance.id", "instance.perturbation", "instance.split"),
        *("request.model", "result.completions", "output_mapping", "train_trial_index"),
    ),
    path=("request_states", EACH),
)


class _Sample:
    """What the events of a log say of one sample; of several answers the first is the system's."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.cells: dict[str, Any] = {}

    def note(self, kind: Any, data: Cells) -> None:
        """Take what an event says; a later one may come from a model that grades."""
        if kind == "sampling" and "prompt" in data:
            self._keep("question", asked_in(data.get("prompt"), "data.prompt"))
            self._keep("prediction", _first_text(data.get("sampled")))
        for name in ("expected", "ideal"):
            if data.get(name) is not None:
                self._keep("gold", listed(data[name]))
        if kind == "raw_sample":
            self._keep("question", asked_in(data.get("input"), "data.input"))

    def _keep(self, name: str, value: Any) -> None:
        if value is not None:
            self.cells.setdefault(name, value)


def _first_text(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _openai_evals_rows(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    system, samples = None, dict[str, _Sample]()
    for row in read_rows(source):
        if isinstance(row, Problem):
            yield row
            continue
        spec, data, name = (row.values.get(key) for key in ("spec", "data", "sample_id"))
        if isinstance(spec, Mapping):
            names = spec.get("completion_fns")
            system = _first_text(names) or system
        if isinstance(name, str) and isinstance(data, Mapping):
            try:
                samples.setdefault(name, _Sample(row.line)).note(row.values.get("type"), data)
            except BadCell as error:
                yield source.error(error.code, error.message, line=row.line, column=error.column)
        passed_by.update((key, None) for key in ("final_report",) if key in row.values)
    for sample in samples.values():
        yield Row(sample.line, {**sample.cells, "system": system})


def _as_given(values: Cells) -> Iterator[dict[str, Any]]:
    yield given(**values)


def _is_openai_log(look: Look) -> bool:
    return is_object(look.first.get("spec"), "completion_fns") or look.has("run_id", "event_id", "sample_id")


OPENAI_EVALS = Shape(
    key="openai-evals",
    name="OpenAI Evals: log",
    summary=(
        "An OpenAI Evals log as JSONL: for each sample, the question, the first sampled answer, and the "
        "expected answer. Scores are not imported."
    ),
    recognized_by=(
        "JSONL that begins with a `spec` that has `completion_fns`, or with an event that has a `sample_id`"
    ),
    recognizes=_is_openai_log,
    items=_as_given,
    reads=("question", "gold", "prediction", "system"),
    rows=_openai_evals_rows,
)


def _batch(values: Cells) -> Iterator[dict[str, Any]]:
    body = object_in(object_in(values, "response"), "body")
    choices = objects_in(body, "choices")
    said = content_of(object_in(choices[0], "message").get("content")) if choices else None
    # The other two: OpenAI’s responses, and Anthropic’s messages.
    said = (
        said
        if said is not None
        else _texts_in([part for each in objects_in(body, "output") for part in list_in(each, "content")])
    )
    said = (
        said
        if said is not None
        else _texts_in(list_in(object_in(object_in(values, "result"), "message"), "content"))
    )
    yield given(id=values.get("custom_id"), prediction=said)


def _texts_in(parts: list[Any]) -> str | None:
    texts = [each.get("text") for each in parts if isinstance(each, Mapping)]
    return "".join(text for text in texts if isinstance(text, str)) if parts else None


BATCH = Shape(
    key="batch-output",
    name="OpenAI and Anthropic: batch results",
    summary=(
        "Batch results as JSONL: one system’s answers. The custom_id of each request must be the "
        "question’s ID. Import the questions first, or together with this file."
    ),
    recognized_by="`custom_id`, with `response` or `result`",
    recognizes=lambda look: look.has("custom_id") and (look.has("response") or look.has("result")),
    items=_batch,
    reads=(
        "custom_id",
        "response.body",
        "result.message",
        "id",
        "response.request_id",
        "response.status_code",
        "result.type",
    ),
)

FORMATS = tuple(shape.format for shape in (PROMPTFOO, HELM, OPENAI_EVALS, BATCH))
