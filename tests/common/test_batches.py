"""Rows in batches: nothing lost, in order, none too large."""

from hypothesis import given
from hypothesis import strategies as st

from common.database.rows import batched


class TestBatched:
    @given(st.lists(st.integers()), st.integers(min_value=1, max_value=50))
    def test_loses_nothing_and_keeps_the_order(self, ids: list[int], size: int) -> None:
        batches = list(batched(ids, size))
        assert [pk for batch in batches for pk in batch] == ids
        assert all(0 < len(batch) <= size for batch in batches)
        assert all(len(batch) == size for batch in batches[:-1])

    def test_reads_no_further_than_asked(self) -> None:
        rows = iter(range(5))
        assert next(batched(rows, 2)) == [0, 1]
        assert list(rows) == [2, 3, 4]
