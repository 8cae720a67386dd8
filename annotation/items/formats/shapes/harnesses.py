"""What evaluation programs write: questions, gold answers, and what a system answered."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.items.formats.columns import SYNONYMS
from annotation.items.formats.documents.streaming import EACH, Walk
from annotation.items.formats.records import Problem, Row, Source
from annotation.items.formats.shapes.shape import (
    Cells,
    Shape,
    given,
    is_object,
    is_objects,
    is_texts,
    list_in,
    object_in,
    objects_in,
    rows_at,
)
from annotation.items.formats.tables import BadCell

OF_QUESTION = SYNONYMS["question"]
OF_GOLD = (*SYNONYMS["gold"], "ground_truth", "output", "text")
OF_ANSWER = (*SYNONYMS["prediction"], "answer", "text")
# Who asks, in a conversation.
ASKING = ("user", "human")


def _field(value: Any, names: Iterable[str], column: str, code: str) -> Any:
    """Return what stands under the first of these names, or the value where it is no object."""
    if not isinstance(value, Mapping):
        return value
    for name in names:
        if name in value:
            return value[name]
    message = (
        f"“{column}” is an object without a known field. Choose the format “Questions and "
        "answers” and say which field to use."
    )
    raise BadCell(column, code, message)


def asked_in(value: Any, column: str) -> Any:
    """Return a question that stands as text, in an object, or last in a conversation; raises `BadCell`."""
    if isinstance(value, Mapping) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if isinstance(value, list):
        said = [each for each in value if isinstance(each, Mapping)]
        asked = [each for each in said if each.get("role", each.get("type")) in ASKING]
        return content_of(asked[-1].get("content") if asked else None)
    return _field(value, OF_QUESTION, column, "missing_question")


def content_of(value: Any) -> Any:
    """Return the text of a message, which may stand in parts; pictures and the like are left out."""
    if not isinstance(value, list):
        return value
    return "".join(str(part.get("text") or "") for part in value if isinstance(part, Mapping))


def _ragas(values: Cells) -> Iterator[dict[str, Any]]:
    yield given(
        question=asked_in(values.get("user_input"), "user_input"),
        prediction=content_of(values.get("response")),
        gold=listed(values.get("reference")),
        passages=values.get("reference_contexts"),
        retrieved=values.get("retrieved_contexts"),
    )


def listed(value: Any) -> Any:
    """Return a reference as a list: it is one text, whatever stands in it."""
    return [value] if isinstance(value, str) and not value.lstrip().startswith("[") else value


RAGAS = Shape(
    key="ragas",
    name="Ragas: samples",
    summary="Ragas’ samples: user_input, response, and reference. Contexts become passages.",
    recognized_by="`user_input`, with `response` or `reference`",
    recognizes=lambda look: look.has("user_input") and (look.has("response") or look.has("reference")),
    items=_ragas,
    reads=("user_input", "response", "reference", "reference_contexts", "retrieved_contexts"),
)


def _haystack(values: Cells) -> Iterator[dict[str, Any]]:
    found = [each for each in objects_in(values, "answers") if each.get("answer")]
    contexts = [
        given(text=each.get("context"), source=each.get("document_id"), score=each.get("score"))
        for each in found
        if isinstance(each.get("context"), str)
    ]
    yield given(
        question=values.get("query") or values.get("question"),
        id=values.get("id"),
        # Without an answer in the texts, Haystack writes null.
        prediction=[each["answer"] for each in found] or "",
        retrieved=contexts or None,
    )


HAYSTACK = Shape(
    key="haystack",
    name="Haystack: answers",
    summary="A question, and the answers that a reader of Haystack or Transformers found, with scores.",
    recognized_by="`query` or `question`, and a list of `answers` with `answer` and `score`",
    recognizes=lambda look: (
        (look.has("query") or look.has("question"))
        and is_objects(look.first.get("answers"), "answer", "score")
    ),
    items=_haystack,
    reads=(
        "query",
        "question",
        "id",
        "answers.answer",
        "answers.score",
        "answers.context",
        "answers.document_id",
    ),
)

_TRUTHS = ("ground_truth", "ground_truths")
_CONTEXTS = ("contexts", "context", "retrieved_contexts")


def _rag_rows(values: Cells) -> Iterator[dict[str, Any]]:
    truth = next((values[name] for name in _TRUTHS if values.get(name) is not None), None)
    yield given(
        question=values.get("question"),
        id=values.get("id"),
        prediction=values.get("answer"),
        gold=listed(truth),
        retrieved=next((values[name] for name in _CONTEXTS if values.get(name)), None),
    )


RAG_ROWS = Shape(
    key="rag-rows",
    name="RAG, one question per row",
    summary=("question, answer (the system’s), ground_truth (gold), and, optionally, retrieved contexts."),
    recognized_by="`question`, `answer`, and `ground_truth` or `ground_truths`",
    recognizes=lambda look: look.has("question", "answer") and any(map(look.has, _TRUTHS)),
    items=_rag_rows,
    reads=("question", "id", "answer", *_TRUTHS, *_CONTEXTS),
)


def _langfuse(values: Cells) -> Iterator[dict[str, Any]]:
    output = values.get("output")
    yield given(
        question=asked_in(values.get("input"), "input"),
        id=values.get("id"),
        gold=listed(_field(values.get("expectedOutput"), OF_GOLD, "expectedOutput", "gold_not_text")),
        prediction=_field(output, OF_ANSWER, "output", "answer_not_text"),
        passages=_beside(values.get("input")),
    )


# What a question may have beside it in one object.
_OF_PASSAGES = ("context", "contexts", "passages", "passage")


def _beside(asked: Any) -> Any:
    """Return the passages that stand in one object with a question; None where there are none."""
    if not isinstance(asked, Mapping):
        return None
    held = (asked.get(name) for name in _OF_PASSAGES)
    # Whatever else a task calls a context is no passage.
    return next(
        (
            each
            for each in held
            if (isinstance(each, str) and each) or is_texts(each) or is_objects(each, "text")
        ),
        None,
    )


LANGFUSE = Shape(
    key="langfuse",
    name="Langfuse: data set items",
    summary=("Langfuse items: input and expectedOutput, each a string or an object; optionally an output."),
    recognized_by="`input`, `expectedOutput`",
    recognizes=lambda look: look.has("input", "expectedOutput") and not look.has("actualOutput"),
    items=_langfuse,
    reads=(
        *("id", "output", "input.messages", *(f"input.{name}" for name in (*OF_QUESTION, *_OF_PASSAGES))),
        *(f"expectedOutput.{name}" for name in OF_GOLD),
    ),
)


def _deepeval(values: Cells) -> Iterator[dict[str, Any]]:
    yield given(
        question=values.get("input"),
        gold=listed(_either(values, "expectedOutput", "expected_output")),
        prediction=_either(values, "actualOutput", "actual_output"),
        passages=values.get("context"),
        retrieved=_either(values, "retrievalContext", "retrieval_context"),
    )


def _either(values: Cells, *names: str) -> Any:
    return next((values[name] for name in names if values.get(name) is not None), None)


DEEPEVAL = Shape(
    key="deepeval",
    name="DeepEval: test cases",
    summary=(
        "DeepEval’s test runs and data sets: input, actual output, and expected output. Contexts become "
        "passages."
    ),
    recognized_by="`input`, with `actualOutput` or `actual_output`",
    recognizes=lambda look: look.has("input") and (look.has("actualOutput") or look.has("actual_output")),
    items=_deepeval,
    reads=(
        *("input", "expectedOutput", "expected_output", "actualOutput", "actual_output"),
        *("context", "retrievalContext", "retrieval_context"),
    ),
)

# What a log keeps of a conversation besides the answer, which may be long.
_OF_CONVERSATION = frozenset({"messages", "events", "attachments", "store"})


def _inspect(values: Cells) -> Iterator[dict[str, Any]]:
    output = object_in(values, "output")
    choices = list_in(output, "choices")
    message = object_in(choices[0], "message") if choices and isinstance(choices[0], Mapping) else {}
    target = values.get("target")
    yield given(
        question=asked_in(values.get("input"), "input"),
        id=values.get("id"),
        gold=target if isinstance(target, list) else listed(target),
        prediction=content_of(message.get("content", output.get("completion"))),
        system=_numbered(values.get("model") or output.get("model"), values.get("epoch")),
    )


def _numbered(model: Any, epoch: Any) -> Any:
    """Return the model's name; of its further answers to the same question with their number."""
    return (
        f"{model} (epoch {epoch})"
        if isinstance(model, str) and model and isinstance(epoch, int) and epoch > 1
        else model
    )


def _inspect_rows(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    # Near the beginning, so that little is read twice.
    named = next(Walk(source, ("eval", "model")).found(), None)
    model = None if named is None or isinstance(named, Problem) else named.value
    for row in rows_at(source, ("samples", EACH), passed_by, but=_OF_CONVERSATION):
        yield row if isinstance(row, Problem) else Row(row.line, {**row.values, "model": model})


INSPECT = Shape(
    key="inspect-log",
    name="Inspect: log",
    summary=(
        "Inspect’s log as JSON: samples with input, target, and the model’s output. Scores are not imported."
    ),
    recognized_by="a JSON object that has `eval` and whose `samples[]` items have `input` and `target`",
    recognizes=lambda look: (
        "eval" in look.document and is_objects(look.document.get("samples"), "input", "target")
    ),
    items=_inspect,
    reads=("id", "epoch", "input", "target", "model", "output.choices", "output.completion", "output.model"),
    rows=_inspect_rows,
)


def _lm_eval(values: Cells) -> Iterator[dict[str, Any]]:
    doc, target = object_in(values, "doc"), values.get("target")
    choices = doc.get("choices")
    if isinstance(choices, list) and isinstance(target, int) and 0 <= target < len(choices):
        target = choices[target]
    yield given(
        question=_field(doc, OF_QUESTION, "doc", "missing_question"),
        gold=listed(target),
        prediction=_first_response(values),
        passages=_beside(doc),
    )


def _first_response(values: Cells) -> Any:
    """Return what the model said, as far as a text is known of it; raises `BadCell`."""
    responses = list_in(values, "filtered_resps") or list_in(values, "resps")
    said = responses[0] if responses else None
    while isinstance(said, list) and said:
        said = said[0]
    if said is not None and not isinstance(said, str):
        message = (
            "The model’s response is not text, because this task compares likelihoods. Import only tasks "
            "that generate text."
        )
        raise BadCell("filtered_resps", "answer_not_text", message)
    return said


LM_EVAL = Shape(
    key="lm-eval-samples",
    name="lm-evaluation-harness: samples",
    summary="Samples of tasks that generate text: the question (in doc), the target, and the first response.",
    recognized_by="`doc_id`, `doc`, `target`, `resps`",
    recognizes=lambda look: look.has("doc_id", "target", "resps") and is_object(look.first.get("doc")),
    items=_lm_eval,
    reads=(
        *("target", "resps", "filtered_resps"),
        *(f"doc.{name}" for name in (*OF_QUESTION, *_OF_PASSAGES)),
    ),
)

FORMATS = tuple(shape.format for shape in (RAGAS, HAYSTACK, RAG_ROWS, DEEPEVAL, LANGFUSE, INSPECT, LM_EVAL))
