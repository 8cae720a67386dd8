"""Comparison: judges against people, systems against each other."""
