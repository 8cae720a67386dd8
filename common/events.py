"""Tell later steps that something happened, without importing them.

An event is a frozen dataclass in `events.py` of the step that publishes it; `config.subscriptions` names
who listens.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

Event = TypeVar("Event")

_SUBSCRIBERS: dict[type, tuple[Callable[[Any], object], ...]] = {}
# Who listens to what, to be read.
SUBSCRIBERS: Mapping[type, tuple[Callable[[Any], object], ...]] = MappingProxyType(_SUBSCRIBERS)


def subscribe(kind: type[Event], *subscribers: Callable[[Event], object]) -> None:
    """Name everybody who listens to a kind of event, in the order in which they are called; once a kind."""
    if kind in _SUBSCRIBERS:
        raise ValueError(f"{kind.__name__} has its subscribers.")
    _SUBSCRIBERS[kind] = subscribers


def publish(event: object) -> None:
    """Call every subscriber of an event in order, inside the caller's transaction if there is one.

    Raises `KeyError` for a kind of event that `config.subscriptions` does not list.
    """
    for subscriber in _SUBSCRIBERS[type(event)]:
        subscriber(event)
