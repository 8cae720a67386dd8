"""What another judge's verdict adds to answer memory, on evidence that is made up."""

import numpy as np

from benchmarks.prejudging.learned import Beside, compare_beside


def compare(*, right_share: float) -> Beside:
    """Compare with a judge whose verdicts are as people's in about so many answers, beside weak evidence."""
    generator = np.random.default_rng(5)
    accepted = generator.random(600) < 0.5
    evidence = (accepted + generator.normal(0.0, 1.0, 600))[:, np.newaxis]
    is_right = generator.random(600) < right_share
    verdicts = np.where(accepted == is_right, 1.0, -1.0)
    return compare_beside(
        evidence, verdicts, accepted, [f"question {row // 5}" for row in range(600)], partitions=3
    )


class TestAnotherJudgeBeside:
    def test_helps_where_it_knows_more(self) -> None:
        found = compare(right_share=0.85)
        assert found.beside.min() > found.without.max() + 0.05
        assert found.gain > 5 * found.error

    def test_a_judge_that_throws_dice_gains_nothing(self) -> None:
        found = compare(right_share=0.5)
        assert abs(found.gain) < 3 * found.error
        assert abs(found.beside.mean() - found.without.mean()) < 0.02
