"""The replay of a gold list amended without one system."""

from pathlib import Path

import numpy as np
import pytest

from annotation.gold.rules.proposals import Judged
from benchmarks.prejudging.amendment import LONG_ANSWERS, bound_closed, count, find_newly, share_closed
from benchmarks.prejudging.released.nq301 import FOLDER, StudyQuestion, read_nq301

QUESTION = StudyQuestion(
    key="who led it",
    text="who led it",
    gold=("Ada",),
    judged=(
        Judged("Ada Cole", True),
        Judged("Ada B. Cole", True),
        Judged("Bertha Cole", False),
        Judged("Cole", True),
    ),
    predictions={"first": "Ada Cole", "second": "Ada B. Cole", "third": "Bertha Cole", "fourth": "Cole"},
)


class TestCount:
    def test_knows_of_each_system_what_others_taught(self) -> None:
        counted = count([QUESTION])
        flags = {
            system: tuple(bool(each[place, 0]) for each in counted[1:])
            for place, system in enumerate(counted.systems)
        }
        # Middle names are a pattern's; nobody but the fourth says the last name alone.
        assert flags == {
            "first": (False, True, False, True, True),
            "second": (False, True, False, True, True),
            "third": (False, False, False, False, False),
            "fourth": (False, True, False, False, False),
        }
        chosen = np.ones(4, dtype=bool)
        assert share_closed(counted, chosen) == pytest.approx(2 / 3)
        assert bound_closed(counted, chosen) == pytest.approx((2 / 3, 2 / 3))


class TestFindNewly:
    def test_does_not_accept_what_calls_a_rejected_answer_right(self) -> None:
        judged = [Judged("Ada Cole", True), Judged("Ada B. Cole", False), Judged("Sir Ada Cole", True)]
        assert find_newly("who led it", gold=["Ada Cole"], judged=judged, left_out=2) is None
        found = find_newly("who led it", gold=["Ada Cole"], judged=judged[::2], left_out=1)
        assert found == (True, False)


class TestNQ301:
    """What `docs/proof.md` says, on the released files."""

    def test_nine_tenths_of_the_gap_are_closed(self, data_folder: Path) -> None:
        counted = count(read_nq301(data_folder / FOLDER))
        short = np.array([LONG_ANSWERS not in system for system in counted.systems])
        sums = [int(each[short].sum()) for each in counted[1:]]
        assert sums[:3] == [1511, 2047, 1972]
        assert share_closed(counted, short) >= 0.9
        # Proposals may make wrong answers right, too: without those the share is smaller.
        assert (sums[4] - sums[0]) / (sums[1] - sums[0]) >= 0.9
