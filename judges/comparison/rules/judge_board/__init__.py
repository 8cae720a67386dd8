"""Judges beside people, as pure functions over counts."""
