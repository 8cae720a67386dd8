"""Samples and what they say of the rest."""

from hypothesis import given
from hypothesis import strategies as st

from judges.runs.rules import Forecast, Means, draw_sample, forecast


class TestDrawSample:
    @given(ids=st.lists(st.integers(), unique=True), size=st.integers(0, 50), seed=st.integers(0, 99))
    def test_draws_each_at_most_once_in_their_order(self, ids: list[int], size: int, seed: int) -> None:
        drawn = draw_sample(ids, size=size, seed=seed)
        assert len(drawn) == min(size, len(ids))
        assert drawn == [each for each in ids if each in set(drawn)]
        assert drawn == draw_sample(ids, size=size, seed=seed)

    def test_differs_by_seed(self) -> None:
        assert len({tuple(draw_sample(range(100), size=5, seed=seed)) for seed in range(20)}) > 15


class TestForecast:
    def test_multiplies_the_means(self) -> None:
        means = Means(cost=10.2, input_tokens=100.0, output_tokens=1.5, seconds=0.5)
        assert forecast(answers=3, means=means) == Forecast(3, 31, 300, 5, 1.5)
        assert forecast(answers=3, means=means._replace(seconds=None)).seconds is None
