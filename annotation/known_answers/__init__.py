"""Answers whose label is known beforehand: hidden among the work, or for training."""
