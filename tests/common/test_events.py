"""Events between steps."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotation.items.events import ItemsChanged
from common.events import SUBSCRIBERS, publish, subscribe

ROOT = Path(__file__).parents[2]
PUBLISHING = ("publish", "ask_upkeep")


@dataclass(frozen=True, kw_only=True)
class SomethingElse:
    """An event that nobody listens to."""


def calls() -> Iterator[ast.Call]:
    for context in ("annotation", "judges"):
        for path in (ROOT / context).rglob("*.py"):
            yield from (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def published() -> set[str]:
    told = (call.args[0] for call in calls() if ast.unparse(call.func) in PUBLISHING and call.args)
    return {ast.unparse(event.func) for event in told if isinstance(event, ast.Call)}


def defined() -> set[str]:
    """Return the events of all steps; `ProjectEvent` is what some have in common."""
    trees = (ast.parse(path.read_text()) for path in ROOT.glob("*/*/events.py"))
    names = {node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    return names - {"ProjectEvent"}


class TestPublish:
    def test_an_unknown_event_is_a_bug(self) -> None:
        with pytest.raises(KeyError):
            publish(SomethingElse())


class TestSubscribe:
    def test_one_place_names_all_who_listen(self) -> None:
        with pytest.raises(ValueError, match="has its subscribers"):
            subscribe(ItemsChanged)

    def test_every_event_is_published_and_heard(self) -> None:
        heard = {kind.__name__ for kind, named in SUBSCRIBERS.items() if named and isinstance(kind, type)}
        # What is due is told as it was stored.
        assert heard == defined() == published() - {"kinds[stored_as]"}
