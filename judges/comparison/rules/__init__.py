"""Decisions of comparison as pure functions over plain arrays and counts."""
