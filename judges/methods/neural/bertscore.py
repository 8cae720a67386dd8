"""BERTScore: how near the tokens of an answer and of a gold answer are to each other in a language model."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from judges.methods.neural.pretrained import (
    LAST_LAYER,
    OFFLINE_MODEL,
    Encoder,
    TokenIds,
    Vectors,
    load_encoder,
)
from judges.protocol import JudgeInput, Verdict, option

# Bounds what is held in memory, however many answers are handed in.
ANSWERS_AT_ONCE = 512


@dataclass(frozen=True)
class BertScoreOptions:
    """Which model's tokens are compared, and where the line between wrong and right is drawn."""

    model: str = option(
        OFFLINE_MODEL, help="The offline sentence model, a folder, or a Hub ID (name or name@revision)."
    )
    layer: int = option(LAST_LAYER, help="Number of model layers to use, or -1 for all.", between=(-1, 1000))
    idf: bool = option(False, help="Whether to weight tokens by their rarity in the study’s gold answers.")
    threshold: float = option(0.5, help="Lowest F1 at which an answer is accepted.", between=(0.0, 1.0))
    runtime: str = option(
        "torch", choices=("torch", "onnx"), help="ONNX Runtime is faster; scores differ by less than 0.0001."
    )


class Score(NamedTuple):
    """precision: over the answer's tokens. recall: over the gold's. f1: their harmonic mean. All 0 to 1."""

    precision: float
    recall: float
    f1: float


NOTHING = Score(0.0, 0.0, 0.0)


class BertScore:
    """Greedy cosine matching of contextual embeddings. Source: Zhang et al. 2020, as bert-score 0.3.13."""

    Options = BertScoreOptions

    def __init__(self, options: BertScoreOptions, *, corpus: Sequence[str] | None = None) -> None:
        """Set options; `corpus` is what idf is counted in: by default the golds of what is judged."""
        self.options = options
        self._corpus = corpus

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 1, the best over the golds; an empty answer or no gold scores 0."""
        return [self._verdict(scores) for scores in self.score(batch)]

    def _verdict(self, scores: Sequence[Score]) -> Verdict:
        best = max((score.f1 for score in scores), default=0.0)
        return Verdict(accepted=best >= self.options.threshold, score=best)

    def score(self, batch: Sequence[JudgeInput]) -> list[tuple[Score, ...]]:
        """Return for each input one score a gold, in the order of the golds; raises `JudgeFailed`."""
        encoder = load_encoder(self.options.model, layer=self.options.layer, runtime=self.options.runtime)
        weights = self._weights(encoder, batch)
        shares = (batch[start : start + ANSWERS_AT_ONCE] for start in range(0, len(batch), ANSWERS_AT_ONCE))
        return [scores for share in shares for scores in _score(encoder, weights, share)]

    def _weights(self, encoder: Encoder, batch: Sequence[JudgeInput]) -> "Weights":
        if not self.options.idf:
            return Weights(encoder.frame_ids, {}, 1.0)
        corpus = self._corpus if self._corpus is not None else [gold for item in batch for gold in item.golds]
        return _count_weights(encoder, tuple(corpus))


class Weights(NamedTuple):
    """How much each token counts: those of the frame never, others by table or else by default."""

    frame_ids: frozenset[int]
    table: Mapping[int, float]
    default: float

    def of(self, ids: TokenIds) -> NDArray[np.float64]:
        """Return the shares of a text's tokens: they sum to 1, or are all 0 where no token counts."""
        found = np.array([self.table.get(token, self.default) for token in ids])
        found[[token in self.frame_ids for token in ids]] = 0.0
        total = found.sum()
        return found / total if total else found


@lru_cache(maxsize=2)
def _count_weights(encoder: Encoder, corpus: tuple[str, ...]) -> Weights:
    counts = Counter(token for ids in encoder.tokenize(corpus) for token in set(ids))
    # Source: Zhang et al. 2020, plus-one smoothing as in bert-score.
    table = {token: log((len(corpus) + 1) / (count + 1)) for token, count in counts.items()}
    return Weights(encoder.frame_ids, table, log(len(corpus) + 1))


def _score(encoder: Encoder, weights: Weights, batch: Sequence[JudgeInput]) -> list[tuple[Score, ...]]:
    texts = list(dict.fromkeys(text for item in batch for text in (item.answer, *item.golds)))
    tokens = dict(zip(texts, encoder.tokenize(texts), strict=True))
    sides = _describe(encoder, weights, set(tokens.values()))
    return [
        tuple(_compare(sides[tokens[item.answer]], sides[tokens[gold]]) for gold in item.golds)
        for item in batch
    ]


class Side(NamedTuple):
    """A text to compare: tokens × dimensions, each of length 1, and what each token counts."""

    vectors: Vectors
    weights: NDArray[np.float64]


def _describe(encoder: Encoder, weights: Weights, sequences: set[TokenIds]) -> dict[TokenIds, Side | None]:
    empty = {ids for ids in sequences if encoder.frame_ids.issuperset(ids)}
    # In a fixed order: what shares a matrix with what may change the seventh digit.
    encoded = encoder.encode(sorted(sequences - empty))
    found = {
        ids: Side(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), weights.of(ids))
        for ids, vectors in encoded.items()
    }
    return {**dict.fromkeys(empty), **found}


def _compare(answer: Side | None, gold: Side | None) -> Score:
    if answer is None or gold is None:
        return NOTHING
    # The frame counts nothing but may be matched. Below 0 is 0, as in the zeros with which
    # bert-score pads all pairs but the longest of a batch.
    near = np.maximum(answer.vectors @ gold.vectors.T, 0.0)
    precision = float(near.max(axis=1) @ answer.weights)
    recall = float(near.max(axis=0) @ gold.weights)
    if precision + recall == 0:
        return NOTHING
    return Score(precision, recall, 2 * precision * recall / (precision + recall))
