"""One vector a text, and the examples that stand for a set of answers."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.clustering import find_clusters, nearest_members
from analysis.text import tokens
from judges.methods.pretrained.encoder import load_encoder
from judges.methods.pretrained.loading import OFFLINE_MODEL, OFFLINE_PACKAGE, is_installed
from judges.protocol import JudgeInput

TFIDF = "tfidf"
# What sentence-transformers reads of a text with this model.
LONGEST_TEXT = 256
MOST_WORDS = 2_000
MOST_ITEMS = 500

Embeddings = NDArray[np.float64]


class Embedder(NamedTuple):
    """A way to make texts into vectors of length 1 (texts × dimensions); its name belongs in signatures."""

    name: str
    embed: Callable[[Sequence[str]], Embeddings]


class Examples(NamedTuple):
    """The places of the chosen items, and the name of the embedder that they were chosen by."""

    places: tuple[int, ...]
    embedder: str


def find_embedder(model: str = OFFLINE_MODEL) -> Embedder:
    """Return the sentence model where it is installed, else TF-IDF, which is made from the texts alone."""
    modules = ["torch", "transformers", *([OFFLINE_PACKAGE] if model == OFFLINE_MODEL else [])]
    if not is_installed(*modules):
        return Embedder(TFIDF, embed_by_words)
    return Embedder(model, lambda texts: embed_by_model(texts, model=model))


def embed_by_model(texts: Sequence[str], *, model: str = OFFLINE_MODEL) -> Embeddings:
    """Return the mean of each text's token vectors, scaled to length 1; raises `JudgeFailed`.

    Source: Reimers & Gurevych 2019 (Sentence-BERT), mean pooling.
    """
    encoder = load_encoder(model)
    sequences = encoder.tokenize(texts, longest=LONGEST_TEXT)
    vectors = encoder.encode(sequences)
    means = {sequence: found.mean(axis=0, dtype=np.float64) for sequence, found in vectors.items()}
    return _scaled(np.array([means[sequence] for sequence in sequences]))


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


def choose_examples(
    items: Sequence[JudgeInput], *, count: int = 4, seed: int, embedder: Embedder | None = None
) -> Examples:
    """Choose the items that stand for all: those nearest the centers of k-means over their embeddings.

    An item is embedded as question, golds and answer together; of more than 500 items as many are drawn
    by the seed. Fewer items than `count` are all chosen; the places are in ascending order.
    Source: Wang et al. 2023 (EVOUNA / QA-Eval), in-context evaluation.
    """
    embedder = embedder or find_embedder()
    drawn = sorted(random.Random(seed).sample(range(len(items)), min(MOST_ITEMS, len(items))))
    if len(drawn) <= count:
        return Examples(tuple(drawn), embedder.name)
    vectors = embedder.embed([_as_text(items[place]) for place in drawn])
    centers = find_clusters(points=vectors, count=count, seed=seed).centers
    nearest = nearest_members(points=vectors, centers=centers)
    return Examples(tuple(sorted(drawn[place] for place in nearest)), embedder.name)


def _as_text(item: JudgeInput) -> str:
    return "\n".join((item.question, " / ".join(item.golds), item.answer))
