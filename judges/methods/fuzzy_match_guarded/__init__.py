"""Fuzzy Match with guards: near in letters is not enough where numbers, dates or yes and no differ."""

from judges.methods.fuzzy_match_guarded.judge import FuzzyMatchGuarded, FuzzyMatchGuardedOptions

__all__ = ["FuzzyMatchGuarded", "FuzzyMatchGuardedOptions"]
