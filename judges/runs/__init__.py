"""Runs: judges at work, as rows with states."""
