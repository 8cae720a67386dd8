"""Agreement of proposals with people, by hand."""

import pytest

from analysis.intervals import Figure, Why
from judges.tagging.rules.rounds import TagCount, TagPair, compare_tags


def pair(proposed: str, said: str) -> TagPair:
    return TagPair(frozenset(proposed), frozenset(said))


class TestCompareTags:
    def test_counts_items_with_exactly_what_was_proposed(self) -> None:
        found = compare_tags(
            pairs=[pair("a", "a"), pair("a", "ab"), pair("b", "a"), pair("ab", "ba")], offered="abc"
        )
        assert (found.compared, found.agreed) == (4, 2)
        assert found.tags == [TagCount("a", 3, 4, 3), TagCount("b", 2, 2, 1), TagCount("c", 0, 0, 0)]

    def test_bounds_the_share_as_wilson_does(self) -> None:
        # p = 1/2, n = 4, z = 1.959964: center 0.5, reach z / (2 sqrt(n + z^2)).
        found = compare_tags(pairs=[pair("a", "a")] * 2 + [pair("a", "b")] * 2, offered="ab")
        assert found.share.interval == pytest.approx((0.5 - 0.349961, 0.5 + 0.349961), abs=1e-5)

    def test_nothing_compared_has_no_interval(self) -> None:
        assert compare_tags(pairs=[], offered="a").share == Figure(None, why=Why.NOTHING_COUNTED)
