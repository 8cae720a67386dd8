"""Judges that compare an answer with gold answers as texts: equal, overlapping, contained, by a pattern."""
