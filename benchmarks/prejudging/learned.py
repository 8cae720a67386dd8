"""How good the learned judge is: on EVOUNA-NQ by folds, on data it never saw, with answer memory; how fast.

Needs scikit-learn, as training does: every figure is of a judge trained without the questions that test it.
"""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.text import question_key
from benchmarks.prejudging.released.nq301 import DATA, FOLDER, read_nq301
from judges.methods.learned.judge import Learned, LearnedOptions
from judges.methods.learned.memory import DecidedAnswer, LearnedMemory, calibrate
from judges.methods.learned.model import Weights, read_weights, to_probability
from judges.methods.learned.reading import read
from judges.protocol import JudgeInput
from tools.train_learned_judge import (
    FOLDS,
    Judged,
    count_rarity,
    folds_of,
    read_evouna,
    score_out_of_fold,
    train,
)

DRAWS = 100
LABELS = 200
BINS = 10
SEED = 17
TIMED = 3_000


def run() -> None:
    """Print every figure; say so where the data are absent."""
    path = DATA / "evouna" / "NQ.json"
    if not path.is_file():
        print("skipped: the papers' files are not at ../shared/data")
        return
    evouna = read_evouna(path)
    _show_speed(evouna)
    trained = _trained_cold(evouna)
    _show_evouna(evouna)
    _show_nq301(trained)
    _show_efficientqa(evouna)


def _show_speed(rows: Sequence[Judged]) -> None:
    inputs = [JudgeInput(row.question, row.answer, row.golds) for row in rows[:TIMED]]
    judge = Learned(LearnedOptions())
    judge.judge(inputs[:10])
    started = time.process_time()
    judge.judge(inputs)
    print(f"answers a second of a processor: {len(inputs) / (time.process_time() - started):,.0f}")


def _show_evouna(rows: Sequence[Judged]) -> None:
    folds, accepted = folds_of(rows), accepted_of(rows)
    logits = calibrate_in_turns(score_out_of_fold(rows, count_rarity(rows), folds), accepted, folds)
    print(f"EVOUNA-NQ, {FOLDS} folds of questions: {share_right(logits, accepted):.4f}")
    for system in dict.fromkeys(row.system for row in rows):
        chosen = np.array([row.system == system for row in rows])
        print(f"  {system}: {share_right(logits[chosen], accepted[chosen]):.4f}")
    print(f"  calibration error: {calibration_error(to_probability(logits), accepted):.4f}")
    print(f"  after {LABELS} labels: {error_after_labels(logits, accepted):.4f}")


def _trained_cold(evouna: Sequence[Judged]) -> Weights:
    left_out = {question.key for question in read_nq301(DATA / FOLDER)}
    rows = [row for row in evouna if question_key(row.question) not in left_out]
    print(f"cold: trained on {len(rows):,} answers, without the questions of NQ301")
    return read_weights(json.loads(json.dumps(train(rows).stored)), digest="cold")


def _show_nq301(weights: Weights) -> None:
    decided = [
        DecidedAnswer(question.text, question.gold, row.text, bool(row.is_accepted))
        for question in read_nq301(DATA / FOLDER)
        for row in question.judged
    ]
    inputs = [JudgeInput(row.question, row.answer, row.golds) for row in decided]
    accepted = np.array([row.accepted for row in decided])
    cold = probabilities(Learned(LearnedOptions(), weights=weights), inputs)
    logits = np.log(cold / (1 - cold))
    print(f"NQ301, cold, {len(decided):,} answers: {np.mean((cold >= 0.5) == accepted):.4f}")
    print(f"  calibration error: {calibration_error(cold, accepted):.4f}")
    print(f"  after {LABELS} labels: {error_after_labels(logits, accepted):.4f}")
    for name, refits in (("shipped weights", False), ("calibrated or fitted by folds", True)):
        judge = LearnedMemory(LearnedOptions(), decided=decided, weights=weights, adapts=refits)
        found = probabilities(judge, inputs)
        print(f"  with answer memory, {name}: {np.mean((found >= 0.5) == accepted):.4f}")
        print(f"    calibration error: {calibration_error(found, accepted):.4f}")


def _show_efficientqa(evouna: Sequence[Judged]) -> None:
    rows = list(read_efficientqa(DATA / "efficientqa" / "NQ-open.efficientqa.test.1.1.head900.jsonl"))
    accepted, folds = accepted_of(rows), folds_of(rows)
    judge = Learned(LearnedOptions())
    inputs = [JudgeInput(row.question, row.answer, row.golds) for row in rows]
    unseen = probabilities(judge, inputs)
    own = score_out_of_fold(rows, count_rarity(evouna), folds)
    print(f"EfficientQA, {len(rows):,} answers that no gold answer equals, definitely correct or not:")
    print(f"  never seen: {np.mean((unseen >= 0.5) == accepted):.4f}")
    print(f"  own folds: {share_right(own, accepted):.4f}")


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


def accepted_of(rows: Sequence[Judged]) -> Flags:
    """Return people's verdicts."""
    return np.array([row.accepted for row in rows])


def probabilities(judge: Learned | LearnedMemory, inputs: Sequence[JudgeInput]) -> Floats:
    """Return P(right) of each answer; 0 where the judge abstains: who has no word is not right."""
    found = [verdict.score for verdict in judge.judge(inputs)]
    return np.array([0.0 if score is None else score for score in found]).clip(1e-9, 1 - 1e-9)


def share_right(logits: Floats, accepted: Flags) -> float:
    """Return the share of verdicts that are as people's."""
    return float(np.mean((logits >= 0) == accepted))


def calibrate_in_turns(logits: Floats, accepted: Flags, folds: Integers) -> Floats:
    """Calibrate each fold on the others."""
    found = np.zeros(len(logits))
    for fold in np.unique(folds):
        tested = folds == fold
        found[tested] = calibrate(logits[~tested], accepted[~tested]).apply(logits[tested])
    return found


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
