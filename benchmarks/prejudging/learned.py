"""How good the learned judge is: on EVOUNA-NQ by folds, on data it never saw, with answer memory; how fast.

Needs scikit-learn, as training does: every figure is of a judge trained without the questions that test it.
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.text import question_key
from benchmarks.prejudging.released.nq301 import DATA, FOLDER
from benchmarks.prejudging.released.scored import (
    EVOUNA,
    NO_DATA,
    has_data,
    probabilities,
    read_cold,
    read_judged_nq301,
    score_evouna,
    score_nq301,
    train_cold,
)
from benchmarks.prejudging.routing import read_votes
from judges.methods.learned.evidence import Decided, evidence_names, weigh
from judges.methods.learned.features.texts import Rarity, prepare
from judges.methods.learned.judge import Learned, LearnedOptions
from judges.methods.learned.memory import DecidedAnswer, LearnedMemory, MemoryOptions, calibrate, fit_linear
from judges.methods.learned.model import Weights, as_rows, load_weights, read_ensemble, to_probability
from judges.methods.learned.reading import read
from judges.protocol import JudgeInput
from tools.train_learned_judge import (
    Judged,
    accepted_of,
    count_rarity,
    fit_judge,
    folds_of,
    measure_rows,
    read_evouna,
    score_out_of_fold,
)

DRAWS = 100
LABELS = 200
BINS = 10
PARTITIONS = 10
SEED = 17
TIMED = 3_000
EFFICIENTQA = Path("efficientqa") / "NQ-open.efficientqa.test.1.1.head900.jsonl"


def run() -> None:
    """Print every figure; say so where the data are absent."""
    if not has_data():
        print(NO_DATA)
        return
    _show_speed()
    _show_evouna()
    _show_nq301()
    _show_beside()
    _show_efficientqa()
    _show_other_way()


def _show_speed() -> None:
    rows = read_evouna(DATA / EVOUNA)
    inputs = [JudgeInput(row.question, row.answer, row.golds) for row in rows[:TIMED]]
    judge = Learned(LearnedOptions())
    judge.judge(inputs[:10])
    started = time.process_time()
    judge.judge(inputs)
    print(f"answers a second of a processor: {len(inputs) / (time.process_time() - started):,.0f}")


def _show_evouna() -> None:
    scored = score_evouna()
    logits = to_logits(scored.probability)
    print(f"EVOUNA-NQ, folds of questions: {1 - scored.is_wrong.mean():.4f}")
    for name, own in scored.of_each():
        print(f"  {name}: {1 - own.is_wrong.mean():.4f}")
    print(f"  calibration error: {calibration_error(scored.probability, scored.accepted):.4f}")
    print(f"  after {LABELS} labels: {error_after_labels(logits, scored.accepted):.4f}")


def _show_nq301() -> None:
    scored = score_nq301()
    inputs, accepted = read_judged_nq301()
    print(f"NQ301, cold, {len(inputs):,} answers: {1 - scored.is_wrong.mean():.4f}")
    print(f"  calibration error: {calibration_error(scored.probability, accepted):.4f}")
    print(f"  after {LABELS} labels: {error_after_labels(to_logits(scored.probability), accepted):.4f}")
    _show_memory(inputs, accepted, train_cold())


def _show_memory(inputs: Sequence[JudgeInput], accepted: Flags, weights: Weights) -> None:
    decided = [
        DecidedAnswer(row.question, row.golds, row.answer, bool(is_accepted))
        for row, is_accepted in zip(inputs, accepted, strict=True)
    ]
    for name, adapts in (("shipped weights", False), ("calibrated or fitted by folds", True)):
        judge = LearnedMemory(MemoryOptions(), decided=decided, weights=weights, adapts=adapts)
        found = probabilities(judge, inputs)
        print(f"  with answer memory, {name}: {np.mean((found >= 0.5) == accepted):.4f}")
        print(f"    calibration error: {calibration_error(found, accepted):.4f}")


class Beside(NamedTuple):
    """What another judge's verdict adds, by folds of questions; each over partitions.

    without, beside: the share of answers as people's. gain: mean log loss saved; error: its standard error
    over questions, in the first partition.
    """

    without: Floats
    beside: Floats
    gain: float
    error: float


def _show_beside() -> None:
    inputs, accepted = read_judged_nq301()
    logits = to_logits(score_nq301().probability)
    evidence = weigh_others(inputs, accepted, logits, count_rarity(read_cold()))
    verdicts = read_votes(DATA / FOLDER).gpt4
    keys = [question_key(row.question) for row in inputs]
    found = compare_beside(evidence, np.where(verdicts < 0, 0.0, 2.0 * verdicts - 1.0), accepted, keys)
    print(f"NQ301, fitted by folds, {PARTITIONS} partitions: {found.without.mean():.4f}")
    print(
        f"  with GPT-4's recorded verdicts beside: {found.beside.mean():.4f}, "
        f"log loss less by {found.gain:.4f} (standard error {found.error:.4f})"
    )
    heard = [row._replace(beside=2.0 * said - 1.0) for row, said in zip(inputs, verdicts, strict=True)]
    decided = [
        DecidedAnswer(row.question, row.golds, row.answer, bool(is_accepted), row.beside)
        for row, is_accepted in zip(heard, accepted, strict=True)
    ]
    judge = LearnedMemory(MemoryOptions(beside="gpt-4"), decided=decided, weights=train_cold())
    said = probabilities(judge, heard)
    print(f"  the judge itself, beside them: {np.mean((said >= 0.5) == accepted):.4f}")
    print(f"    calibration error: {calibration_error(said, accepted):.4f}")


def weigh_others(inputs: Sequence[JudgeInput], accepted: Flags, logits: Floats, rarity: Rarity) -> Floats:
    """Return the evidence of each answer, of other answers to its question as the judge takes it."""
    said: dict[str, list[Decided]] = defaultdict(list)
    texts = [read(row.answer) for row in inputs]
    for row, text, is_accepted, logit in zip(inputs, texts, accepted.tolist(), logits.tolist(), strict=True):
        if text.words:
            said[row.question].append(Decided(text, is_accepted, logit))
    weighed = []
    for row, text, logit in zip(inputs, texts, logits.tolist(), strict=True):
        others = [other for other in said[row.question] if other.text.original != text.original]
        weighed.append(weigh(prepare(row.question, row.golds, rarity), text, logit, others, rarity))
    return as_rows(weighed, names=evidence_names())


def compare_beside(
    evidence: Floats, verdicts: Floats, accepted: Flags, keys: Sequence[str], *, partitions: int = PARTITIONS
) -> Beside:
    """Fit the memory model with another judge's verdicts and without, by folds of questions.

    verdicts: 1 right, -1 wrong, 0 none, an answer each; keys: the question of each.
    """
    rows = (evidence, np.column_stack([evidence, verdicts]))
    right, losses = np.zeros((2, partitions)), np.zeros((2, len(accepted)))
    for partition in range(partitions):
        folds = folds_of([Judged(key, (), "", False) for key in keys], seed=SEED + partition)
        for way, own in enumerate(rows):
            logits = _fit_by_folds(own, accepted, folds)
            right[way, partition] = share_right(logits, accepted)
            if partition == 0:
                losses[way] = np.logaddexp(0.0, np.where(accepted, -logits, logits))
    gains = losses[0] - losses[1]
    _, questions = np.unique(keys, return_inverse=True)
    sums = np.bincount(questions.reshape(-1), weights=gains - gains.mean())
    return Beside(right[0], right[1], float(gains.mean()), float(np.sqrt((sums**2).sum()) / len(gains)))


def _fit_by_folds(rows: Floats, accepted: Flags, folds: Integers) -> Floats:
    logits = np.zeros(len(accepted))
    for fold in np.unique(folds):
        tested = folds == fold
        logits[tested] = fit_linear(rows[~tested], accepted[~tested]).score(rows[tested])
    return logits


def _show_efficientqa() -> None:
    rows = list(read_efficientqa(DATA / EFFICIENTQA))
    accepted, folds = accepted_of(rows), folds_of(rows)
    inputs = [JudgeInput(row.question, row.answer, row.golds) for row in rows]
    unseen = probabilities(Learned(LearnedOptions()), inputs)
    own = score_out_of_fold(rows, count_rarity(read_evouna(DATA / EVOUNA)), folds)
    print(f"EfficientQA, {len(rows):,} answers that no gold answer equals, definitely correct or not:")
    print(f"  never seen: {np.mean((unseen >= 0.5) == accepted):.4f}")
    print(f"  own folds: {share_right(own, accepted):.4f}")
    _show_memory(inputs, accepted, load_weights())


def _show_other_way() -> None:
    """Train on EfficientQA and NQ301, and judge those answers of EVOUNA-NQ that share no question with it."""
    inputs, accepted = read_judged_nq301()
    rows = list(read_efficientqa(DATA / EFFICIENTQA))
    rows += [
        Judged(row.question, row.golds, row.answer, bool(is_accepted))
        for row, is_accepted in zip(inputs, accepted, strict=True)
    ]
    rarity, tested = count_rarity(rows), read_cold()
    judge = read_ensemble(fit_judge(rows, rarity))
    found = judge.score(measure_rows(tested, rarity))
    print(f"EVOUNA-NQ never seen, trained on {len(rows):,} answers of EfficientQA and NQ301:")
    print(f"  {len(tested):,} answers: {share_right(found, accepted_of(tested)):.4f}")


def read_efficientqa(path: Path) -> Iterator[Judged]:
    """Yield the definitely correct and the definitely incorrect answers; the possible ones are neither."""
    for line in path.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        golds = tuple(found["answer"])
        if not any(read(gold).words for gold in golds):
            continue
        for name, accepted in (("def_correct_predictions", True), ("def_incorrect_predictions", False)):
            for answer in found[name]:
                if read(answer).words:
                    yield Judged(found["question"], golds, answer, accepted)


def to_logits(probability: Floats) -> Floats:
    """Return log-odds of probabilities."""
    logits: Floats = np.log(probability / (1.0 - probability))
    return logits


def share_right(logits: Floats, accepted: Flags) -> float:
    """Return the share of verdicts that are as people's."""
    return float(np.mean((logits >= 0) == accepted))


def calibration_error(probability: Floats, accepted: Flags, *, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal size, 0 to 1."""
    order = np.argsort(probability, kind="stable")
    parts = zip(np.array_split(probability[order], bins), np.array_split(accepted[order], bins), strict=True)
    return float(sum(len(said) * abs(said.mean() - true.mean()) for said, true in parts) / len(order))


def error_after_labels(logits: Floats, accepted: Flags, *, labels: int = LABELS, draws: int = DRAWS) -> float:
    """Return the calibration error on the rest, after calibration on so many labels; mean over draws."""
    rng = np.random.default_rng(SEED)
    errors = []
    for _ in range(draws):
        order = rng.permutation(len(logits))
        labelled, rest = order[:labels], order[labels:]
        fitted = calibrate(logits[labelled], accepted[labelled])
        errors.append(calibration_error(to_probability(fitted.apply(logits[rest])), accepted[rest]))
    return float(np.mean(errors))
