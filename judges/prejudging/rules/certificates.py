"""What a certificate promises, what its tries cost, and when it lapses."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

DEFAULT_ALPHA = 0.05
DEFAULT_DELTA = 0.1
LARGEST_LEVEL = 0.5
SMALLEST_LEVEL = 0.001
LARGEST_SAMPLE = 10_000
USUAL_SAMPLE = 300


class Lapse(StrEnum):
    """Why a certificate that was given holds no longer."""

    RUN_GONE = "run_gone"
    NEW_VERSION = "new_version"
    NEW_SYSTEMS = "new_systems"
    LABELS_CHANGED = "labels_changed"
    AUDIT_CONTRADICTS = "audit_contradicts"
    DRIFT = "drift"


LAPSE_WORDS = {
    Lapse.RUN_GONE: "A judge behind the certificate no longer exists.",
    Lapse.NEW_VERSION: "A judge now has a different version from the one that the certificate was based on.",
    Lapse.NEW_SYSTEMS: "Systems were added later, and none of their answers was in the sample.",
    Lapse.LABELS_CHANGED: "People later changed decisions on answers in its sample.",
    Lapse.AUDIT_CONTRADICTS: "The audit contradicts it: people disagree more often than it allows.",
    Lapse.DRIFT: "The judge’s scores for the current answers differ from its scores for the sample.",
}


class Proof(NamedTuple):
    """What a certificate that a rule in force carries rests on; lapse: why it holds no longer, in words.

    Of the sample's `drawn` answers people decided otherwise than the rule in `errors` of those `settled` for
    which it speaks. delta: the risk of all tries on the sample together, the largest
    that was chosen. spent: what this one, the `number`-th of `tries`, was given.
    """

    text: str
    drawn: int
    population: int
    settled: int
    errors: int
    alpha: float
    delta: float
    spent: float
    number: int
    tries: int
    lapse: str = ""


def spend(*, delta: float, number: int) -> float:
    """Return the chance of error that a try on a sample gets: δ/2, δ/4, …, all tries together at most δ.

    Whoever may try until something is certified would find something by chance.
    """
    return float(delta * 2.0**-number)


def draw(*, candidates: Iterable[int], size: int, seed: int) -> list[int]:
    """Return `size` of the candidates, or all, each set as probable as any other, in order."""
    names = sorted(candidates)
    # No secret hangs on it beyond the seed, which raters never see.
    return sorted(Random(seed).sample(names, min(size, len(names))))


def hash_of(parts: Sequence[object]) -> str:
    """Return the SHA-256 by which equal contents are known again."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def content_hash(
    *,
    rule: Mapping[str, Any],
    before: Sequence[Mapping[str, Any]],
    signatures: Mapping[str, str],
    alpha: float,
    delta: float,
    labels_hash: str,
) -> str:
    """Return the hash by which an equal certificate of a sample is known; rules as they are stored."""
    return hash_of([rule, before, sorted(signatures.items()), alpha, delta, labels_hash])
