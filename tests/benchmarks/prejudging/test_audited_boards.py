"""The small form of the judge board's replay, on a study that is made up."""

import numpy as np
import pytest

from benchmarks.prejudging.audited_boards import FIGURES, NOBODY_SETTLES, Answers, Design, replay

DRAWS = 120


def make_answers(*, size: int = 1_200) -> Answers:
    """Make two answers a question; a judge errs on a third of the hard ones and hardly on the others.

    Rules settle what is easy, and err on one in twenty of these.
    """
    generator = np.random.default_rng(4)
    question = np.arange(size) // 2
    unsure = np.repeat(np.where(generator.random(size // 2) < 0.3, 3, 0), 2)
    truth = generator.random(size) < 0.6
    verdict = truth ^ (generator.random(size) < np.where(unsure > 0, 0.35, 0.03))
    said = np.where(unsure > 0, np.nan, truth ^ (generator.random(size) < 0.05))
    return Answers(truth, verdict.astype(np.int8), said, question, unsure[::2])


@pytest.mark.parametrize(
    "design", [Design(300, 300, 0.2), Design(600, 200, NOBODY_SETTLES), Design(600, 200, 0.3)]
)
def test_weights_make_figures_those_of_all_answers(design: Design) -> None:
    found = replay(make_answers(), design, draws=DRAWS)
    for name in FIGURES:
        each = found[name]
        # Three standard errors of the mean of so many draws, and a ratio's small bias.
        assert each.mean == pytest.approx(each.truth, abs=0.012), name
        assert each.held >= 0.87, name
    accuracy = found["accuracy_all"]
    assert abs(accuracy.plain_mean - accuracy.truth) > 0.04
    assert accuracy.plain_held < 0.7
