"""Benchmarks whose answers are of a kind of their own: yes or no, numbers, several answers, several turns."""
