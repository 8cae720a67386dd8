"""Where a page of rows begins, and in which order they stand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from judges.answers.rules import cut_page, rank_by


def shown(rank: list[int], kept: list[bool], **cursor: int) -> list[int]:
    places: list[int] = cut_page(np.array(rank), np.array(kept), size=2, **cursor).places.tolist()
    return places


class TestCutPage:
    RANK = (4, 0, 3, 1, 2)

    def test_the_first_rows_come_without_a_place(self) -> None:
        assert shown([*self.RANK], [True] * 5) == [1, 3]

    def test_what_follows_an_answer_that_is_not_asked_for_any_more(self) -> None:
        kept = [True, True, True, False, True]
        assert shown([*self.RANK], kept, after=3) == [4, 2]
        assert shown([*self.RANK], kept, before=3) == [1, 4]

    def test_nothing_follows_the_last_row_and_the_last_rows_stand_before_the_end(self) -> None:
        assert shown([*self.RANK], [True] * 5, after=0) == []
        assert shown([*self.RANK], [True] * 5, before=-1) == [2, 0]

    def test_nothing_kept_is_an_empty_page(self) -> None:
        cut = cut_page(np.array([0, 1]), np.zeros(2, dtype=bool), size=2, after=1)
        assert (cut.places.tolist(), cut.before, cut.total) == ([], 0, 0)

    @given(rank=st.permutations(range(23)), kept=st.lists(st.booleans(), min_size=23, max_size=23))
    def test_pages_hold_every_row_once_in_order_there_and_back(
        self, rank: list[int], kept: list[bool]
    ) -> None:
        ranks, flags = np.array(rank), np.array(kept)
        there: list[int] = []
        page = cut_page(ranks, flags, size=4)
        while len(page.places) and page.before == len(there):
            there += page.places.tolist()
            page = cut_page(ranks, flags, size=4, after=there[-1])
        assert there == sorted(np.flatnonzero(flags).tolist(), key=rank.__getitem__)
        back: list[int] = []
        while len(back) < len(there):
            last = cut_page(ranks, flags, size=4, before=back[0] if back else -1)
            back = [place for place in last.places.tolist() if place not in back] + back
        assert back == there


class TestRankBy:
    def test_equal_values_stand_as_in_the_study_either_way(self) -> None:
        values, study = np.array([1.0, 1.0, np.nan, 0.0]), np.array([1, 0, 2, 3])
        assert rank_by(values, study=study, descending=False).tolist() == [2, 1, 3, 0]
        assert rank_by(values, study=study, descending=True).tolist() == [1, 0, 3, 2]
