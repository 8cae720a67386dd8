"""Fuzzy Match with guards: near in letters is not enough where numbers, dates or yes and no differ."""
