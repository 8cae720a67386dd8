"""What produced a verdict, in one line."""

import dataclasses
import hashlib
from typing import Any

from judges.registry.making import get_entry


def make_signature(key: str, options: Any, **context: str) -> str:
    """Return what produced a verdict in one line: judge, all options, context such as gold, revision.

    Equal signatures mean equal verdicts on equal answers. Source of the idea: sacrebleu (Post 2018).
    """
    stated = {"judge": key, **dataclasses.asdict(options), **context, "revision": get_entry(key).revision}
    return "|".join(f"{name}:{_spelled(value)}" for name, value in stated.items())


def hash_signature(signature: str) -> str:
    """Return the SHA-256 of a signature, by which runs are told apart."""
    return hashlib.sha256(signature.encode()).hexdigest()


def _spelled(value: object) -> str:
    # One spelling a value, and no separator inside one.
    text = repr(value) if isinstance(value, float) else str(value)
    return text.replace("%", "%25").replace("|", "%7C")
