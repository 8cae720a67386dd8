"""Money is whole and exact."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.connections.rules.calls import (
    UnusableAmount,
    cost_of,
    pico_from_usd,
    price_from_usd,
    price_in_usd,
    usd_from_pico,
)


class TestAmounts:
    def test_a_dollar_per_million_tokens_is_a_million_a_token(self) -> None:
        assert price_from_usd(Decimal(1)) == 1_000_000
        assert price_in_usd(150_000) == Decimal("0.15")

    def test_a_call_costs_what_its_tokens_cost(self) -> None:
        cost = cost_of(input_tokens=1000, output_tokens=10, input_price=150_000, output_price=600_000)
        assert usd_from_pico(cost) == Decimal("0.000156")

    @given(st.integers(min_value=0, max_value=10**18))
    def test_nothing_is_lost_on_the_way_out_and_in(self, pico: int) -> None:
        assert pico_from_usd(usd_from_pico(pico)) == pico

    @pytest.mark.parametrize("text", ["-1", "NaN", "Infinity", "1000001", "0.0000000000001"])
    def test_what_cannot_be_kept_is_refused(self, text: str) -> None:
        with pytest.raises(UnusableAmount):
            pico_from_usd(Decimal(text))
