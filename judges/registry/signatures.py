"""What produced a verdict, in one line."""

import dataclasses
import hashlib
from typing import Any

from common.identifiers import spell
from judges.registry.making import get_entry


def make_signature(key: str, options: Any, **context: str) -> str:
    """Return what produced a verdict in one line: judge, all options, context such as gold, revision.

    Equal signatures mean equal verdicts on equal answers. Source of the idea: sacrebleu (Post 2018).
    """
    stated = {"judge": key, **dataclasses.asdict(options), **context, "revision": get_entry(key).revision}
    return spell(**stated)


def hash_signature(signature: str) -> str:
    """Return the SHA-256 of a signature, by which runs are told apart."""
    return hashlib.sha256(signature.encode()).hexdigest()
