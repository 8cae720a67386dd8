"""Fuzzy Match as published, the whole rule for every pair of answer and gold."""

from collections.abc import Sequence

from rapidfuzz import fuzz
from text_unidecode import unidecode

from benchmarks.baselines.squad_loop import normalize
from judges.methods.fuzzy.wordnet import load_synonyms

THRESHOLD = 63.3


def ratio(answer: str, gold: str, *, synonyms: bool) -> float:
    """Return the best ratio of an answer with a gold and its synonyms, 0 to 100."""
    prediction = normalize(unidecode(answer))
    if not prediction:
        return 0.0
    form = normalize(unidecode(gold))
    others = load_synonyms().of(form) if synonyms else set[str]()
    return max(fuzz.ratio(prediction, normalize(unidecode(other))) for other in {gold, *others})


def judge(pairs: Sequence[tuple[str, tuple[str, ...]]], *, synonyms: bool) -> list[bool]:
    """Return whether each answer is accepted."""
    return [
        any(ratio(answer, gold, synonyms=synonyms) >= THRESHOLD for gold in golds) for answer, golds in pairs
    ]
