"""Fuzzy Match: how close the letters of an answer and of a gold answer are, with variants."""
