"""Tell later steps that something happened, without importing them."""

from functools import cache
from typing import Any

from django.utils.module_loading import import_string


def publish(*, event: str, **facts: Any) -> None:
    """Call every subscriber of `event` in order, inside the caller's transaction if there is one.

    Raises `KeyError` for an event that `config.subscriptions` does not list.
    """
    for subscriber in _subscribers(event):
        import_string(subscriber)(**facts)


@cache
def _subscribers(event: str) -> tuple[str, ...]:
    # Imported by path: common is below config and must not import it.
    return tuple(import_string("config.subscriptions.SUBSCRIPTIONS")[event])
