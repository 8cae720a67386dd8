"""Tables that promptfoo exports: a column for each model, whose cells may begin with a result."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.items.formats.columns import meaning_of
from annotation.items.formats.columns.checks import EXPECTED
from annotation.items.formats.records import Look, Problem, Row, Source
from annotation.items.formats.shapes.logs import CHECKS_OF_ANSWERS
from annotation.items.formats.shapes.shape import Cells, Shape, given
from annotation.items.formats.tables import BadCell, read_rows

# “[openai:gpt-4o] Answer: {{question}}”: a model, and the prompt that it got.
_OUTPUT = re.compile(r"\[([^\[\]]+)\]\s+\S")
# Columns beside the outputs, which are no variables.
_BESIDE = frozenset({"Status", "Score", "Named Scores", "Grader Reason", "Comment"})
_RESULT = re.compile(r"\[(PASS|FAIL|ERROR)\](?:\s+|$)")
# Later versions write the scores behind the result, and why below the output.
_SCORES = re.compile(r"\([\d.]+(?:, [^()\n]*)?\)\s*\n")
_REASON = re.compile(r"\n(?:Pass|Fail) Reason: ")
# Earlier ones write why between result and output.
_LINE = re.compile(r"\n---\n")
_CHECK = re.compile(r"(not-)?([a-z]++(?:-[a-z]++)*+)(?:\([\d.]+\))?:\s*")
# Those with several values.
_ANY = ("contains-any", "icontains-any")
# Checks of something else than an answer that would be right.
_OTHER_CHECKS = frozenset(
    {
        *("javascript", "python", "fn", "eval", "file", "webhook", "regex", "is-json", "contains-json"),
        *("is-sql", "contains-sql", "is-xml", "contains-xml", "llm-rubric", "grade", "cost", "latency"),
        *("answer-relevance", "context-recall", "context-relevance", "context-faithfulness", "g-eval"),
        *("model-graded-closedqa", "starts-with", "contains-all", "icontains-all", "levenshtein"),
        *("rouge-n", "bleu", "perplexity", "perplexity-score", "moderation", "classifier", "pi"),
    }
)


def _outputs_in(names: Sequence[str]) -> dict[str, str]:
    """Return the system of each column of outputs: the model, with its prompt where it got several."""
    models = {name: match[1] for name in names if (match := _OUTPUT.match(name))}
    times = Counter(models.values())
    return {name: name[:200] if times[model] > 1 else model for name, model in models.items()}


def _question_column(names: Sequence[str], outputs: Mapping[str, str]) -> str:
    """Return the variable that holds the question: by its name, or the only one; or empty."""
    others = [name for name in names if name not in outputs and name not in _BESIDE and name[:2] != "__"]
    named = [name for name in others if meaning_of(name) == "question"]
    unknown = [name for name in others if not meaning_of(name)]
    return (named or (unknown if len(unknown) == 1 else [""]))[0]


def said_in(cell: Any, column: str) -> Any:
    """Return what a model said, without what its checks came to; None where it failed; raises `BadCell`."""
    match = _RESULT.match(cell) if isinstance(cell, str) else None
    if match is None:
        return cell or None
    text = cell[match.end() :]
    if match[1] == "ERROR":
        return None
    if scores := _SCORES.match(text):
        return _REASON.split(text[scores.end() :])[0].strip()
    if match[1] == "PASS":
        return text.strip()
    parts = _LINE.split(text, maxsplit=1)
    if len(parts) == 2:
        return parts[1].strip()
    message = "It is not clear where the model’s output begins behind “[FAIL].” Export the results as JSON."
    raise BadCell(column, "unexpected_shape", message)


def expected_in(cell: str) -> list[str] | None:
    """Return the answers that a check asks for; None where it asks for something else."""
    match = _CHECK.match(cell)
    if match is None or match[2] not in CHECKS_OF_ANSWERS | _OTHER_CHECKS:
        bare = cell.strip()
        return [bare] if bare and bare not in _OTHER_CHECKS else None
    if match[1] or match[2] in _OTHER_CHECKS:
        return None
    value = cell[match.end() :].strip()
    return [part.strip() for part in value.split(",")] if match[2] in _ANY else [value]


def _rows(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    for row in read_rows(source):
        if isinstance(row, Problem):
            yield row
            continue
        names = list(row.values)
        outputs = _outputs_in(names)
        question = _question_column(names, outputs)
        expected = [name for name in names if name.startswith(EXPECTED) or meaning_of(name) == "gold"]
        used = {question, *outputs, *expected}
        passed_by.update((name, None) for name in names if name not in used and row.values[name])
        golds: list[str] = []
        for name in expected:
            cell = str(row.values[name] or "")
            found = expected_in(cell) if name.startswith(EXPECTED) else [cell]
            golds += found or []
            if found is None and cell.strip():
                passed_by.setdefault(f"{name} ({cell[:40].partition(':')[0]})")
        said = [(system, name, row.values[name]) for name, system in outputs.items()]
        yield Row(row.line, {"question": row.values.get(question), "golds": golds, "said": said})


def _items(values: Cells) -> Iterator[dict[str, Any]]:
    if not values["said"]:
        yield given(question=values["question"])
    for system, column, cell in values["said"]:
        golds = [gold for gold in values["golds"] if gold]
        asked = given(question=values["question"], gold=golds, system=system)
        yield {**asked, "prediction": said_in(cell, column)}


def _is_table(look: Look) -> bool:
    names = list(look.first)
    outputs = _outputs_in(names) if look.layout in ("csv", "tsv") else {}
    cells = [str(look.first[name]) for name in outputs]
    is_marked = any(name[:2] == "__" or name in _BESIDE for name in names) or any(map(_RESULT.match, cells))
    return bool(outputs) and is_marked and bool(_question_column(names, outputs))


PROMPTFOO_TABLE = Shape(
    key="promptfoo-table",
    name="promptfoo: table",
    summary=(
        "promptfoo’s results as CSV: a question, the answers that checks expect, and a column for each "
        "model. Results of checks, such as “[PASS],” are not imported."
    ),
    recognized_by=(
        "a CSV or TSV file with columns such as `[model] prompt`, beside `__expected` or `Status`, or with "
        "cells that begin with `[PASS]` or `[FAIL]`"
    ),
    recognizes=_is_table,
    items=_items,
    reads=("question", "golds", "said"),
    rows=_rows,
)

FORMATS = (PROMPTFOO_TABLE.format,)
