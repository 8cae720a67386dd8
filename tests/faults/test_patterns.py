"""P17: a gold regular expression cannot hang us. What bounds it is tested in `tests/analysis`."""

import pytest

from benchmarks.judges.patterns import measure
from tests.faults.proof import Proof


class TestPatterns:
    @pytest.mark.prove
    def test_that_hang_others_are_searched_in_time(self, proof: Proof) -> None:
        found = measure()
        assert found.tried > found.not_begun > 0
        proof.record(
            "P17",
            "hostile regular expressions on 100 kB",
            promised="≤ 50 ms",
            measured=f"{found.longest:.0f} ms at most in {found.tried} searches; "
            f"{found.not_begun} not begun (unscored)",
            database="any",
        )
