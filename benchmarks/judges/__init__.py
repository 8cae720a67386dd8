"""Judges beside the alternatives, and a worker on their runs."""
