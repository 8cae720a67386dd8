"""One vector a text, and the examples that stand for a set of answers."""

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.text import tokens
from judges.protocol import JudgeInput

MOST_WORDS = 2_000
MOST_ITEMS = 500
MOST_STEPS = 100
RESTARTS = 10

Embeddings = NDArray[np.float64]


def embed_by_words(texts: Sequence[str]) -> Embeddings:
    """Return TF-IDF over the most frequent words of these texts, scaled to length 1; no word, all zeros.

    idf = ln((1 + n) / (1 + df)) + 1. Source: Salton & Buckley 1988, smoothed as in scikit-learn.
    """
    counted = [Counter(tokens(text)) for text in texts]
    frequency = Counter(word for words in counted for word in words)
    known = sorted(frequency, key=lambda word: (-frequency[word], word))[:MOST_WORDS]
    idf = np.array([np.log((1 + len(texts)) / (1 + frequency[word])) + 1 for word in known])
    counts = np.array([[words[word] for word in known] for words in counted], dtype=np.float64)
    return _scaled(counts.reshape(len(texts), len(known)) * idf)


def _scaled(vectors: Embeddings) -> Embeddings:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Embeddings = vectors / np.where(lengths == 0, 1.0, lengths)
    return scaled


def find_centers(points: Embeddings, *, count: int, seed: int) -> Embeddings:
    """Return the centers of k-means, the tightest of several starts: no more than there are distinct points.

    Source: Lloyd 1982; starts as in Arthur & Vassilvitskii 2007 (k-means++).
    """
    # Slow to import, and seldom needed.
    from scipy.cluster.vq import kmeans2
    from scipy.spatial.distance import cdist

    count = min(count, len(np.unique(points, axis=0)))
    generator = np.random.default_rng(seed)
    found = [kmeans2(points, count, iter=MOST_STEPS, minit="++", rng=generator)[0] for _ in range(RESTARTS)]
    centers: Embeddings = min(found, key=lambda each: float((cdist(points, each).min(axis=1) ** 2).sum()))
    return centers


def nearest_members(*, points: Embeddings, centers: Embeddings) -> list[int]:
    """Return for each center the index of its nearest point, no point twice; ties go to the earlier point."""
    from scipy.spatial.distance import cdist

    taken: list[int] = []
    for distances in cdist(centers, points):
        order = np.argsort(distances, kind="stable")
        taken.extend([int(index) for index in order if int(index) not in taken][:1])
    return taken


def choose_examples(items: Sequence[JudgeInput], *, count: int = 4, seed: int) -> tuple[int, ...]:
    """Return the places of the items that stand for all: nearest the centers of k-means over their TF-IDF.

    An item is embedded as question, golds and answer together; of more than 500 items as many are drawn
    by the seed. Fewer items than `count` are all chosen; the places are in ascending order.
    Source: Wang et al. 2023 (EVOUNA / QA-Eval), in-context evaluation.
    """
    drawn = sorted(random.Random(seed).sample(range(len(items)), min(MOST_ITEMS, len(items))))
    if len(drawn) <= count:
        return tuple(drawn)
    vectors = embed_by_words([_as_text(items[place]) for place in drawn])
    if not vectors.size:
        # No item has a word, so each stands for all.
        return tuple(drawn[:1])
    nearest = nearest_members(points=vectors, centers=find_centers(vectors, count=count, seed=seed))
    return tuple(sorted(drawn[place] for place in nearest))


def _as_text(item: JudgeInput) -> str:
    return "\n".join((item.question, " / ".join(item.golds), item.answer))
