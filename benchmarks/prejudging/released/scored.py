"""EVOUNA-NQ and NQ301 with people's labels and a judge's probability of each answer, out of fold."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers

EVOUNA = "evouna_nq.npz"
NQ301 = "nq301.npz"
OPTION = "--scores"
NO_SCORES = f"name the folder of a judge's probabilities: {OPTION} FOLDER"


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


def read_scored(path: Path) -> Scored:
    """Read arrays of equal length: `accepted`, `probability`, `question` and, where known, `system`."""
    with np.load(path) as found:
        _, questions = np.unique(found["question"], return_inverse=True)
        given = found["system"] if "system" in found else np.zeros(len(questions), dtype=np.int64)
        names, systems = np.unique(given, return_inverse=True)
        return Scored(
            found["accepted"].astype(bool),
            found["probability"].astype(np.float64),
            questions.astype(np.int64),
            systems.astype(np.int64),
            tuple(str(name) for name in names),
        )


def folder_of(arguments: Sequence[str]) -> Path | None:
    """Return the folder that the command names."""
    if OPTION not in arguments[:-1]:
        return None
    return Path(arguments[list(arguments).index(OPTION) + 1])
