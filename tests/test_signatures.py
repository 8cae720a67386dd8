"""Every reply with figures of a study says how they came about."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

SCHEMA = json.loads(Path("frontend/src/api/schema.json").read_text())

# Where figures of a study are read: of agreement, of raters, of systems and of judges.
PAGES = (
    "/api/comparison",
    "/api/projects/{slug}/agreement",
    "/api/projects/{slug}/failure-board",
    "/api/projects/{slug}/judge-board",
    "/api/projects/{slug}/leaderboard",
    "/api/projects/{slug}/raters",
    "/api/projects/{slug}/results",
    "/api/projects/{slug}/systems-board",
)

EXCEPTIONS = {
    "get_label_plan": "what is expected of labels that nobody has given yet, no figure of the study",
    "list_pilot_agreement": "every pilot's report has a line of its own",
    "list_questions_of_two": "questions with two systems' answers, and how many there are of each kind",
    "list_questions_right_by": "questions by their words, without a figure",
}


def replies() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, operations in SCHEMA["paths"].items():
        if path.startswith(PAGES) and "get" in operations:
            reply = operations["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            yield operations["get"]["operationId"], reply


REPLIES = dict(replies())


def is_signed(schema: Mapping[str, Any]) -> bool:
    """Say whether the reply, or where it is a list each of its rows, must bear a signature."""
    schema = schema.get("items", schema)
    _, _, name = schema.get("$ref", "").rpartition("/")
    return "signature" in SCHEMA["components"]["schemas"][name].get("required", ())


@pytest.mark.parametrize("operation", sorted(set(REPLIES) - set(EXCEPTIONS)))
def test_a_reply_with_figures_is_signed(operation: str) -> None:
    assert is_signed(REPLIES[operation])


@pytest.mark.parametrize("operation", EXCEPTIONS)
def test_an_exception_is_needed(operation: str) -> None:
    assert not is_signed(REPLIES[operation])
