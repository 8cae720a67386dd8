"""EVOUNA-NQ and NQ301 with people's labels, and the probabilities of judges that never saw them.

The probabilities are computed by the code that trains what is shipped, and kept in a folder of the user's
cache: what is there is used again as long as that code and the papers' files are the same.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.text import question_key
from benchmarks.prejudging.released.nq301 import DATA, FOLDER, read_nq301, read_rows
from judges.methods.learned import model
from judges.methods.learned.judge import Learned, LearnedOptions
from judges.methods.learned.memory import LearnedMemory
from judges.methods.learned.model import Weights, read_weights, to_probability
from judges.protocol import JudgeInput
from tools import train_learned_judge
from tools.train_learned_judge import (
    Judged,
    accepted_of,
    calibrate,
    count_rarity,
    folds_of,
    read_evouna,
    score_out_of_fold,
    train,
)

EVOUNA = Path("evouna") / "NQ.json"
NO_DATA = "skipped: the papers' files are not at ../shared/data"


class Scored(NamedTuple):
    """One value an answer: people accept it; the judge's probability of that; its question and system."""

    accepted: Flags
    probability: Floats
    questions: Integers
    systems: Integers
    names: tuple[str, ...]

    @property
    def confidence(self) -> Floats:
        """How sure the judge is of its verdict, .5 to 1."""
        return np.maximum(self.probability, 1.0 - self.probability)

    @property
    def is_wrong(self) -> Flags:
        """Whether people disagree with its verdict."""
        found: Flags = (self.probability >= 0.5) != self.accepted
        return found

    def of_each(self) -> Iterator[tuple[str, "Scored"]]:
        """Yield every system's answers by themselves."""
        for place, name in enumerate(self.names):
            own = self.systems == place
            yield (
                name,
                Scored(
                    self.accepted[own],
                    self.probability[own],
                    self.questions[own],
                    self.systems[own],
                    (name,),
                ),
            )


def has_data() -> bool:
    """Say whether the papers' files are there."""
    return (DATA / EVOUNA).is_file() and (DATA / FOLDER).is_dir()


def score_evouna() -> Scored:
    """Return EVOUNA-NQ's answers in the order of its file, scored and calibrated out of fold."""
    rows = read_evouna(DATA / EVOUNA)
    accepted = accepted_of(rows)

    def compute() -> Floats:
        folds = folds_of(rows)
        logits = score_out_of_fold(rows, count_rarity(rows), folds)
        return to_probability(calibrate_in_turns(logits, accepted, folds))

    return _scored(
        accepted,
        _kept("evouna_nq", compute),
        [question_key(row.question) for row in rows],
        [row.system for row in rows],
    )


def score_nq301() -> Scored:
    """Return NQ301's answers in its file's order; the judge was trained without its questions."""
    inputs, accepted = read_judged_nq301()
    probability = _kept(
        "nq301", lambda: probabilities(Learned(LearnedOptions(), weights=train_cold()), inputs)
    )
    return _scored(
        accepted, probability, [question_key(each.question) for each in inputs], [""] * len(inputs)
    )


def read_judged_nq301() -> tuple[list[JudgeInput], Flags]:
    """Return the rows of NQ301's human file with the gold answers of all files, and people's verdicts."""
    golds = {question.key: question.gold for question in read_nq301(DATA / FOLDER)}
    rows = read_rows(DATA / FOLDER / "NQ301_human.tsv")
    return (
        [
            JudgeInput(row["Question"], row["Model answer"], golds[question_key(row["Question"])])
            for row in rows
        ],
        np.array([row["Acceptable?"] == "Yes" for row in rows]),
    )


def read_cold() -> list[Judged]:
    """Return the answers of EVOUNA-NQ to questions that are not NQ301's."""
    left_out = {question.key for question in read_nq301(DATA / FOLDER)}
    return [row for row in read_evouna(DATA / EVOUNA) if question_key(row.question) not in left_out]


@cache
def train_cold() -> Weights:
    """Return weights trained without the questions of NQ301, once a process as that takes minutes."""
    return read_weights(json.loads(json.dumps(train(read_cold()).stored)))


def probabilities(judge: Learned | LearnedMemory, inputs: Sequence[JudgeInput]) -> Floats:
    """Return P(right) of each answer; 0 where the judge abstains: who has no word is not right."""
    found = [verdict.score for verdict in judge.judge(inputs)]
    return np.array([0.0 if score is None else score for score in found]).clip(1e-9, 1 - 1e-9)


def calibrate_in_turns(logits: Floats, accepted: Flags, folds: Integers) -> Floats:
    """Calibrate each fold on the others."""
    found = np.zeros(len(logits))
    for fold in np.unique(folds):
        tested = folds == fold
        found[tested] = calibrate(logits[~tested], accepted[~tested]).apply(logits[tested])
    return found


def _scored(accepted: Flags, probability: Floats, questions: Sequence[str], systems: Sequence[str]) -> Scored:
    names, places = np.unique(np.array(systems), return_inverse=True)
    _, numbers = np.unique(np.array(questions), return_inverse=True)
    return Scored(
        accepted,
        probability,
        numbers.astype(np.int64),
        places.astype(np.int64),
        tuple(str(name) for name in names),
    )


def _kept(name: str, compute: Callable[[], Floats]) -> Floats:
    path = _cache() / f"{name}-{_digest()}.npy"
    if path.is_file():
        kept: Floats = np.load(path, allow_pickle=False)
        return kept
    print(f"scoring {name} by judges that never saw its questions; kept as {path.name} in the user's cache")
    found = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npy")
    np.save(part, found)
    part.replace(path)
    return found


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / "replays"


def _digest() -> str:
    """Hash all that the probabilities follow from: code and papers' files, not the weights shipped."""
    code = sorted(Path(model.__file__).parent.rglob("*.py"))
    data = [DATA / EVOUNA, *sorted((DATA / FOLDER).rglob("*.*"))]
    found = hashlib.sha256()
    for path in [*code, Path(train_learned_judge.__file__), *data]:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
