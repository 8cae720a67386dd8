"""Money in whole pico-USD (1e-12 USD), so that sums are exact; people read and write USD."""

from decimal import Decimal

PICO_A_USD = 10**12
# Prices are told per million tokens, so this is one USD per million tokens, a token.
PICO_A_TOKEN = 10**6
LARGEST_USD = Decimal(1_000_000)


class UnusableAmount(ValueError):
    """An amount below zero, beyond reason, or finer than can be kept."""


def pico_from_usd(usd: Decimal) -> int:
    """Return an amount of USD in pico-USD; raises `UnusableAmount`."""
    return _exactly(usd, PICO_A_USD)


def usd_from_pico(pico: int) -> Decimal:
    """Return an amount in USD, without trailing zeros."""
    return _plain(Decimal(pico) / PICO_A_USD)


def price_from_usd(usd_per_million: Decimal) -> int:
    """Return a price per million tokens as pico-USD a token; raises `UnusableAmount`."""
    return _exactly(usd_per_million, PICO_A_TOKEN)


def price_in_usd(pico_a_token: int) -> Decimal:
    """Return a price in USD per million tokens, without trailing zeros."""
    return _plain(Decimal(pico_a_token) / PICO_A_TOKEN)


def cost_of(*, input_tokens: int, output_tokens: int, input_price: int, output_price: int) -> int:
    """Return what a call costs, in pico-USD."""
    return input_tokens * input_price + output_tokens * output_price


def _exactly(amount: Decimal, units: int) -> int:
    if not amount.is_finite() or not 0 <= amount <= LARGEST_USD:
        raise UnusableAmount(f"An amount from 0 to {LARGEST_USD} USD.")
    counted = amount * units
    if counted != int(counted):
        raise UnusableAmount("This amount has too many places.")
    return int(counted)


def _plain(amount: Decimal) -> Decimal:
    return Decimal(format(amount.normalize(), "f"))
