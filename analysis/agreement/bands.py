"""What a coefficient is called, and when it misleads."""

from analysis.figures import Undefined, Value

PARADOX_OBSERVED = 0.8
PARADOX_KAPPA = 0.6
PARADOX_GAP = 0.2


BANDS = (
    (0.0, "slight"),
    (0.2, "fair"),
    (0.4, "moderate"),
    (0.6, "substantial"),
    (0.8, "almost perfect"),
)


def name_band(kappa: float) -> str:
    """Name the band of a kappa. Source: Landis and Koch 1977, table 2; a convention, not a test."""
    names = [name for lower, name in BANDS if kappa > lower]
    return names[-1] if names else ("slight" if kappa == 0 else "poor")


def name_bands(low: float, high: float) -> str:
    """Name the bands that an interval reaches: "fair to substantial", or the one it lies in.

    One word for a kappa whose interval spans several would say more than is known.
    """
    first, last = name_band(low), name_band(high)
    return first if first == last else f"{first} to {last}"


def is_paradox(*, observed: Value, kappa: Value, ac1: Value) -> bool:
    """Say whether a low kappa tells of rare labels rather than of raters who disagree.

    True where raters agree on at least .8 of their votes, kappa is at most .6, and Gwet's AC1, which does
    not fall when one label prevails, is at least .2 above it. False where one of them is undefined.
    Source: the paradox of Feinstein and Cicchetti 1990; the three bounds are ours.
    """
    if isinstance(observed, Undefined) or isinstance(kappa, Undefined) or isinstance(ac1, Undefined):
        return False
    return observed >= PARADOX_OBSERVED and kappa <= PARADOX_KAPPA and ac1 - kappa >= PARADOX_GAP
