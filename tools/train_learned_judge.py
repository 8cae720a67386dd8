"""Train the learned judge on EVOUNA-NQ and write its weights: `python -m tools.train_learned_judge NQ.json`.

Needs scikit-learn, as development does; judging does not. Seeds are fixed.
"""

import argparse
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from analysis.arrays import Flags, Floats, Integers
from analysis.text import normalize_answer, question_key
from annotation.items.formats.papers import evouna
from annotation.items.formats.records import Problem, Source
from judges.methods.learned.evidence import Decided, evidence_names, weigh
from judges.methods.learned.features.measures import feature_names, measure
from judges.methods.learned.features.texts import Rarity, prepare
from judges.methods.learned.model import WEIGHTS, Calibration, Ensemble, as_rows, read_ensemble
from judges.methods.learned.reading import read

SEED = 17
FOLDS = 5
# A word in fewer questions is as rare as one never seen: the table holds no rare word of the data set.
FEWEST_QUESTIONS = 5
# Rows derived from people's verdicts count less than the verdicts: see `derive`.
DERIVED_WEIGHTS = {"turned": 0.4, "restated": 0.2, "reduced": 0.2}
# For answer memory: see `lessen`.
LESSENED_WEIGHTS = {"reduced": 0.4, "restated": 0.2}
SHORT_ANSWERS = "fid"
_MOST_TURNED = 3


class Judged(NamedTuple):
    """An answer of a system with people's verdict."""

    question: str
    golds: tuple[str, ...]
    answer: str
    accepted: bool
    system: str = ""


class TreeSettings(NamedTuple):
    """How trees are grown; times: how often anew, each time with other chances."""

    number: int
    rate: float
    leaves: int
    fewest_rows: int
    penalty: float
    features_share: float = 0.3
    times: int = 1


class Remembered(NamedTuple):
    """What answer memory is fitted to: an answer a row, with its weight and the fold of its question."""

    evidence: Floats
    accepted: Flags
    weights: Floats
    folds: Integers

    def of(self, chosen: Flags) -> "Remembered":
        """Return some of the rows."""
        return Remembered._make(part[chosen] for part in self)


JUDGE_TREES = TreeSettings(number=400, rate=0.04, leaves=14, fewest_rows=40, penalty=20.0, times=2)
MEMORY_TREES = TreeSettings(number=150, rate=0.05, leaves=6, fewest_rows=50, penalty=10.0)
JUDGE_STRENGTH, MEMORY_STRENGTH = 0.1, 0.03
# In standard deviations from the mean: the regression reads what lies beyond as lying there.
FARTHEST = 4.0


def read_evouna(path: Path) -> list[Judged]:
    """Return the judged answers of EVOUNA's file; questions marked improper are left out."""
    return list(_read_rows(path))


def _read_rows(path: Path) -> Iterator[Judged]:
    for record in evouna.read(Source(path.name, path), {}):
        if isinstance(record, Problem) or record.marked_by:
            continue
        golds = tuple(gold.text for gold in record.question.golds)
        if not any(read(gold).words for gold in golds):
            continue
        for prediction in record.predictions:
            for vote in prediction.votes:
                accepted = vote.label == "Yes"
                yield Judged(record.question.text, golds, prediction.text, accepted, prediction.system)


def accepted_of(rows: Sequence[Judged]) -> Flags:
    """Return people's verdicts."""
    return np.array([row.accepted for row in rows], dtype=np.bool_)


def count_rarity(rows: Sequence[Judged]) -> Rarity:
    """Count in how many questions, with their answers, each word stands."""
    said: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        said[row.question].update(read(row.answer).stems, read(row.question).stems)
    counts = Counter(stem for stems in said.values() for stem in stems)
    listed = {
        stem: round(math.log((len(said) + 1) / (count + 1)), 2)
        for stem, count in sorted(counts.items())
        if count >= FEWEST_QUESTIONS and stem.isalpha()
    }
    return Rarity(listed, round(math.log((len(said) + 1) / 2), 2))


def derive(rows: Sequence[Judged]) -> list[tuple[Judged, str]]:
    """Return further rows that follow from people's verdicts on short answers, with their kind.

    turned: the gold answer is as right against the short answer as this was against it. restated: an accepted
    short answer is a gold answer for the others. reduced: a question without the gold answer that its short
    answer equals keeps its verdicts. Their questions are those of the rows, so folds hold them together.
    """
    found: list[tuple[Judged, str]] = []
    by_question: dict[tuple[str, tuple[str, ...]], list[Judged]] = defaultdict(list)
    for row in rows:
        by_question[row.question, row.golds].append(row)
    for (question, golds), group in by_question.items():
        short = next((row for row in group if row.system == SHORT_ANSWERS and read(row.answer).words), None)
        if short is None:
            continue
        others = tuple(gold for gold in golds if normalize_answer(gold) != normalize_answer(short.answer))
        if len(others) < len(golds):
            if any(read(gold).words for gold in others):
                found += [(row._replace(golds=others), "reduced") for row in group]
            continue
        against = (short.answer,)
        found += [
            (Judged(question, against, gold, short.accepted), "turned") for gold in golds[:_MOST_TURNED]
        ]
        if short.accepted:
            found += [(row._replace(golds=against), "restated") for row in group if row is not short]
    return found


def measure_rows(rows: Sequence[Judged], rarity: Rarity) -> Floats:
    """Return the features of each row: rows × names."""
    kept: dict[tuple[str, tuple[str, ...]], Any] = {}
    measured = []
    for row in rows:
        key = (row.question, row.golds)
        if key not in kept:
            kept[key] = prepare(row.question, row.golds, rarity)
        measured.append(measure(kept[key], read(row.answer)))
    return as_rows(measured, names=feature_names())


def weigh_rows(rows: Sequence[Judged], logits: Floats, rarity: Rarity) -> Floats:
    """Return the evidence of the other answers to a row's question, never of its own: rows × names."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        places[question_key(row.question)].append(place)
    weighed: list[Mapping[str, float]] = [{}] * len(rows)
    for same in places.values():
        first = rows[same[0]]
        question = prepare(first.question, first.golds, rarity)
        said = {at: Decided(read(rows[at].answer), rows[at].accepted, float(logits[at])) for at in same}
        for at in same:
            others = [said[other] for other in same if other != at]
            weighed[at] = weigh(question, said[at].text, said[at].logit, others, rarity)
    return as_rows(weighed, names=evidence_names())


def folds_of(rows: Sequence[Judged], *, seed: int = SEED, count: int = FOLDS) -> Integers:
    """Return the fold of each row; all rows of a question have one, whatever else is in the data."""
    keys = (f"{seed}:{question_key(row.question)}" for row in rows)
    return np.array(
        [int(hashlib.sha256(key.encode()).hexdigest(), 16) % count for key in keys], dtype=np.int64
    )


def fit_judge(rows: Sequence[Judged], rarity: Rarity, *, measured: Floats | None = None) -> dict[str, Any]:
    """Fit regression and trees to rows and to what is derived of them; not calibrated. As JSON is."""
    derived = derive(rows)
    own = measure_rows(rows, rarity) if measured is None else measured
    features = np.vstack([own, measure_rows([row for row, _ in derived], rarity)])
    accepted = accepted_of([*rows, *(row for row, _ in derived)])
    weights = np.concatenate([np.ones(len(rows)), [DERIVED_WEIGHTS[kind] for _, kind in derived]])
    return fit(features, accepted, weights, trees=JUDGE_TREES, strength=JUDGE_STRENGTH)


def fit_memory(remembered: Remembered) -> dict[str, Any]:
    """Fit regression and trees to evidence; not calibrated. As JSON is."""
    evidence, accepted, weights, _ = remembered
    return fit(evidence, accepted, weights, trees=MEMORY_TREES, strength=MEMORY_STRENGTH)


def fit(
    features: Floats, accepted: Flags, weights: Floats, *, trees: TreeSettings, strength: float
) -> dict[str, Any]:
    """Fit both models; `strength`: the inverse of the regression's ridge penalty."""
    scaler = StandardScaler().fit(features)
    lowest, highest = (scaler.mean_ + side * FARTHEST * scaler.scale_ for side in (-1.0, 1.0))
    linear = LogisticRegression(C=strength, max_iter=2_000).fit(
        scaler.transform(features.clip(lowest, highest)), accepted, sample_weight=weights
    )
    grown = [
        HistGradientBoostingClassifier(
            max_iter=trees.number,
            learning_rate=trees.rate,
            max_leaf_nodes=trees.leaves,
            min_samples_leaf=trees.fewest_rows,
            l2_regularization=trees.penalty,
            max_features=trees.features_share,
            early_stopping=False,
            random_state=SEED + number,
        ).fit(features, accepted, sample_weight=weights)
        for number in range(trees.times)
    ]
    coefficients = linear.coef_[0] / scaler.scale_
    return {
        "linear": {
            "coefficients": [_short(value) for value in coefficients],
            "intercept": _short(float(linear.intercept_[0] - coefficients @ scaler.mean_)),
            "lowest": [_short(value) for value in lowest],
            "highest": [_short(value) for value in highest],
        },
        "trees": [_store_trees(each) for each in grown],
        "calibration": list(Calibration()[:3]),
    }


def _store_trees(grown: HistGradientBoostingClassifier) -> dict[str, Any]:
    stored: dict[str, Any] = {"sizes": [], "features": [], "numbers": [], "children": [], "depth": 0}
    for (tree,) in grown._predictors:
        nodes, depth = _nodes_in_pairs(tree.nodes)
        stored["sizes"].append(len(nodes))
        stored["depth"] = max(stored["depth"], depth)
        for feature, number, child in nodes:
            stored["features"].append(feature)
            stored["numbers"].append(number)
            stored["children"].append(child)
    return {**stored, "baseline": _short(float(grown._baseline_prediction.ravel()[0]))}


def _nodes_in_pairs(nodes: Any) -> tuple[list[tuple[int, float, int]], int]:
    """Return (feature, threshold, first child) of each node and the depth; of leaves (-1, value, 0)."""
    order, placed, level = [0], {0: 0}, {0: 0}
    for node in order:
        if not nodes[node]["is_leaf"]:
            for child in (int(nodes[node]["left"]), int(nodes[node]["right"])):
                placed[child], level[child] = len(order), level[node] + 1
                order.append(child)
    listed = [
        (-1, _short(float(nodes[node]["value"])), 0)
        if nodes[node]["is_leaf"]
        else (
            int(nodes[node]["feature_idx"]),
            _short(float(nodes[node]["num_threshold"])),
            placed[int(nodes[node]["left"])],
        )
        for node in order
    ]
    return listed, max(level.values())


def _short(number: float) -> float:
    return float(f"{number:.5g}")


def fit_by_folds(
    rows: Sequence[Judged], rarity: Rarity, folds: Integers, *, measured: Floats
) -> list[Ensemble]:
    """Return a judge for each fold that saw nothing of its questions; not calibrated."""
    return [
        read_ensemble(
            fit_judge(
                [row for row, own in zip(rows, folds, strict=True) if own != fold],
                rarity,
                measured=measured[folds != fold],
            )
        )
        for fold in range(FOLDS)
    ]


def score_by_folds(models: Sequence[Ensemble], features: Floats, folds: Integers) -> Floats:
    """Return each row's log-odds by the model of its fold."""
    logits = np.zeros(len(folds))
    for fold, model in enumerate(models):
        logits[folds == fold] = model.score(features[folds == fold])
    return logits


def score_out_of_fold(rows: Sequence[Judged], rarity: Rarity, folds: Integers) -> Floats:
    """Return each row's log-odds by a model that saw nothing of its question; not calibrated."""
    measured = measure_rows(rows, rarity)
    return score_by_folds(fit_by_folds(rows, rarity, folds, measured=measured), measured, folds)


def lessen(
    rows: Sequence[Judged], rarity: Rarity, models: Sequence[Ensemble], calibration: Calibration
) -> list[Remembered]:
    """Return the evidence of derived rows whose gold answers say less than people know.

    Studies have answers that people accept and no gold answer has. On the rows themselves these are rare, so
    memory fitted to them alone believes the texts too much and people too little.
    """
    derived, found = derive(rows), []
    for kind, weight in LESSENED_WEIGHTS.items():
        own = [row for row, its_kind in derived if its_kind == kind]
        folds = folds_of(own)
        logits = calibration.apply(score_by_folds(models, measure_rows(own, rarity), folds))
        evidence, weights = weigh_rows(own, logits, rarity), np.full(len(own), weight)
        found.append(Remembered(evidence, accepted_of(own), weights, folds))
    return found


def remember_out_of_fold(remembered: Remembered) -> Floats:
    """Return each row's log-odds with answer memory, by a model that saw nothing of its question."""
    models = [read_ensemble(fit_memory(remembered.of(remembered.folds != fold))) for fold in range(FOLDS)]
    return score_by_folds(models, remembered.evidence, remembered.folds)


def calibrate(logits: Floats, accepted: Flags) -> Calibration:
    """Fit the two slopes and the offset to out-of-fold log-odds."""
    sides = np.column_stack([np.maximum(logits, 0.0), np.minimum(logits, 0.0)])
    fitted = LogisticRegression(C=1e6, max_iter=2_000).fit(sides, accepted)
    right, wrong = (_short(float(slope)) for slope in fitted.coef_[0])
    return Calibration(_short(float(fitted.intercept_[0])), right, wrong)


class Trained(NamedTuple):
    """All that is shipped, as JSON is, and what it was calibrated on."""

    stored: dict[str, Any]
    logits: Floats
    logits_with_memory: Floats


def train(rows: Sequence[Judged]) -> Trained:
    """Train judge and memory; memory learns from log-odds out of fold, since those of new studies are."""
    rarity, folds, accepted = count_rarity(rows), folds_of(rows), accepted_of(rows)
    measured = measure_rows(rows, rarity)
    models = fit_by_folds(rows, rarity, folds, measured=measured)
    logits = score_by_folds(models, measured, folds)
    calibration = calibrate(logits, accepted)
    judge = {**fit_judge(rows, rarity, measured=measured), "calibration": list(calibration[:3])}
    calibrated = calibration.apply(logits)
    own = Remembered(weigh_rows(rows, calibrated, rarity), accepted, np.ones(len(rows)), folds)
    lessened = lessen(rows, rarity, models, calibration)
    all_rows = Remembered._make(map(np.concatenate, zip(own, *lessened, strict=True)))
    remembered = remember_out_of_fold(all_rows)[: len(rows)]
    memory = {**fit_memory(all_rows), "calibration": list(calibrate(remembered, accepted)[:3])}
    stored = {
        "format": 1,
        "source": "EVOUNA-NQ, github.com/wangcunxiang/QA-Eval, Apache-2.0; see MODEL_CARD.md",
        "rows": len(rows),
        "features": list(feature_names()),
        "evidence": list(evidence_names()),
        "rarity": {"unseen": rarity.unseen, "words": dict(rarity.of)},
        "judge": judge,
        "memory": memory,
    }
    return Trained(stored, calibrated, Calibration(*memory["calibration"]).apply(remembered))


def main() -> None:
    """Train on the file that is named, and say how well it does out of fold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="EVOUNA's NQ.json")
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    rows = read_evouna(arguments.path)
    trained, accepted = train(rows), accepted_of(rows)
    arguments.to.write_text(json.dumps(trained.stored, separators=(",", ":"), ensure_ascii=True) + "\n")
    print(f"{len(rows):,} answers, {arguments.to.stat().st_size:,} bytes")
    print(f"out of fold: {np.mean((trained.logits >= 0) == accepted):.4f}")
    print(f"with answer memory: {np.mean((trained.logits_with_memory >= 0) == accepted):.4f}")


if __name__ == "__main__":
    main()
