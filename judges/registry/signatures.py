"""What produced a verdict, in one line."""

import dataclasses
import hashlib
from collections.abc import Iterable
from typing import Any, TypeAlias

from common.identifiers import as_text, spell
from judges.registry.making import get_entry

Stated: TypeAlias = tuple[tuple[str, str], ...]


def state_judge(key: str, options: Any, **context: str) -> Stated:
    """Return what produces a verdict, name by name: judge, all options, context such as gold, revision."""
    stated = {"judge": key, **dataclasses.asdict(options), **context, "revision": get_entry(key).revision}
    return tuple((name, as_text(value)) for name, value in stated.items())


def sign(stated: Iterable[tuple[str, str]]) -> str:
    """Return what produces a verdict in one line.

    Equal signatures mean equal verdicts on equal answers. Source of the idea: sacrebleu (Post 2018).
    """
    return spell(**dict(stated))


def make_signature(key: str, options: Any, **context: str) -> str:
    """Return the line that signs a judge with these options in this context."""
    return sign(state_judge(key, options, **context))


def hash_signature(signature: str) -> str:
    """Return the SHA-256 of a signature, by which runs are told apart."""
    return hashlib.sha256(signature.encode()).hexdigest()
