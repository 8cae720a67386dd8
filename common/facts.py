"""Ask later steps for what they alone know, without importing them."""

from functools import cache
from typing import Any

from django.utils.module_loading import import_string


def ask(*, fact: str, **about: Any) -> Any:
    """Return what the one step that knows `fact` says; the asker's own table says which shape that has.

    Raises `KeyError` for a fact that `config.subscriptions` does not list.
    """
    return import_string(_knower(fact))(**about)


@cache
def _knower(fact: str) -> str:
    # Imported by path: common is below config and must not import it.
    return str(import_string("config.subscriptions.FACTS")[fact])
