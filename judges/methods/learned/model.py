"""The learned judge's weights: read from JSON, scored in NumPy, calibrated on both sides."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import Floats, Integers
from judges.methods.learned.features.measures import feature_names
from judges.methods.learned.features.texts import Rarity

WEIGHTS = Path(__file__).parent / "weights.json"
# Rows scored at a time: rows times trees times eight bytes stay within the processor's cache.
_ROWS = 128


class UnusableWeights(ValueError):
    """The file of weights is not what this code can score with."""


@dataclass(frozen=True)
class Linear:
    """Logistic regression on standardized features: log-odds = intercept + Σ coefficient · feature.

    lowest, highest: of each feature; what lies beyond counts as these, so that no single one decides.
    """

    coefficients: Floats
    intercept: float
    lowest: Floats | float = -np.inf
    highest: Floats | float = np.inf

    def score(self, rows: Floats) -> Floats:
        """Return log-odds. rows: answers × features."""
        # Not by a product of matrices: its last digits would depend on what else is in the batch.
        terms = np.clip(rows, self.lowest, self.highest) * self.coefficients
        scored: Floats = terms.sum(axis=1) + self.intercept
        return scored


@dataclass(frozen=True)
class Trees:
    """Gradient-boosted trees, their nodes in one table.

    roots: a node a tree. features, thresholds: a row goes to `children[node]` where its feature is at most
    the threshold, else to the node behind that. A leaf is its own child, with a threshold of infinity.
    values: what a leaf adds to the log-odds. depth: the steps from a root to the farthest leaf.
    """

    roots: Integers
    features: Integers
    thresholds: Floats
    children: Integers
    values: Floats
    baseline: float
    depth: int

    def score(self, rows: Floats) -> Floats:
        """Return log-odds. rows: answers × features."""
        parts = [self._score(rows[start : start + _ROWS]) for start in range(0, len(rows), _ROWS)]
        return np.concatenate([np.empty(0), *parts])

    def _score(self, rows: Floats) -> Floats:
        flat = np.ascontiguousarray(rows).ravel()
        offsets = (np.arange(len(rows)) * rows.shape[1])[:, None]
        nodes = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        for _ in range(self.depth):
            is_beyond = flat[offsets + self.features[nodes]] > self.thresholds[nodes]
            nodes = self.children[nodes] + is_beyond
        scored: Floats = self.baseline + self.values[nodes].sum(axis=1)
        return scored


class Calibration(NamedTuple):
    """How log-odds become the log-odds that people agree, for answers held right and wrong separately.

    calibrated = offset + right · max(z, 0) + wrong · min(z, 0), where z = bend · tanh(log-odds / bend): no
    answer is surer than that, as people reject some answers that equal a gold answer. Without a bend z is the
    log-odds.
    """

    offset: float = 0.0
    right: float = 1.0
    wrong: float = 1.0
    bend: float | None = None

    def apply(self, logits: Floats) -> Floats:
        """Return calibrated log-odds."""
        bent = bend_logits(logits, self.bend)
        calibrated: Floats = (
            self.offset + self.right * np.maximum(bent, 0.0) + self.wrong * np.minimum(bent, 0.0)
        )
        return calibrated


def bend_logits(logits: Floats, bend: float | None) -> Floats:
    """Return log-odds that come near to `bend` on either side and never reach it."""
    bent: Floats = logits if bend is None else bend * np.tanh(logits / bend)
    return bent


@dataclass(frozen=True)
class Ensemble:
    """The mean of the log-odds of a regression and of trees (of several, their mean), calibrated."""

    linear: Linear
    trees: tuple[Trees, ...]
    calibration: Calibration

    def score(self, rows: Floats) -> Floats:
        """Return calibrated log-odds that an answer is right. rows: answers × features; none gives none."""
        grown = sum((trees.score(rows) for trees in self.trees), np.zeros(len(rows))) / len(self.trees)
        return self.calibration.apply((self.linear.score(rows) + grown) / 2.0)


@dataclass(frozen=True)
class Weights:
    """All that is shipped: how rare words are, the judge, the judge with answer memory."""

    rarity: Rarity
    judge: Ensemble
    memory: Ensemble


@cache
def load_weights(path: Path = WEIGHTS) -> Weights:
    """Read a file of weights, once a process; raises `UnusableWeights`."""
    try:
        stored = json.loads(path.read_bytes())
        if tuple(stored["features"]) != feature_names():
            raise UnusableWeights(
                f"{path.name} was trained on features other than those this version computes."
            )
        return read_weights(stored)
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise UnusableWeights(f"{path.name} is not a weights file: {error!r}.") from error


def read_weights(stored: Mapping[str, Any]) -> Weights:
    """Return weights from their JSON form."""
    return Weights(
        rarity=Rarity(stored["rarity"]["words"], float(stored["rarity"]["unseen"])),
        judge=read_ensemble(stored["judge"]),
        memory=read_ensemble(stored["memory"]),
    )


def read_ensemble(stored: Mapping[str, Any]) -> Ensemble:
    """Return a model from its JSON form (`tools/train_learned_judge.py` writes it)."""
    linear = stored["linear"]
    return Ensemble(
        linear=Linear(
            *(np.array(linear["coefficients"], dtype=np.float64), float(linear["intercept"])),
            *(np.array(linear[end], dtype=np.float64) for end in ("lowest", "highest")),
        ),
        trees=tuple(map(_read_trees, stored["trees"])),
        calibration=Calibration(*stored["calibration"]),
    )


def _read_trees(trees: Mapping[str, Any]) -> Trees:
    sizes = trees["sizes"]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64) if sizes else np.empty(0, np.int64)
    features = np.array(trees["features"], dtype=np.int64)
    is_leaf = features < 0
    # Children are stored by their place in the tree, values of leaves in the place of thresholds.
    numbers = np.array(trees["numbers"], dtype=np.float64)
    own = np.arange(len(features), dtype=np.int64)
    children = np.array(trees["children"], dtype=np.int64) + np.repeat(starts, sizes)
    return Trees(
        roots=starts,
        features=np.where(is_leaf, 0, features),
        thresholds=np.where(is_leaf, np.inf, numbers),
        children=np.where(is_leaf, own, children),
        values=np.where(is_leaf, numbers, 0.0),
        baseline=float(trees["baseline"]),
        depth=int(trees["depth"]),
    )


def to_probability(logits: Floats) -> Floats:
    """Return probabilities, 0 to 1, of log-odds."""
    probabilities: Floats = 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))
    return probabilities


def as_rows(measured: Sequence[Mapping[str, float]], *, names: Sequence[str]) -> Floats:
    """Return features as an array, answers × features, in the order of `names`."""
    return np.array([list(each.values()) for each in measured], dtype=np.float64).reshape(-1, len(names))
