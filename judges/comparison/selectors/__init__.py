"""Read what compares people with programs and systems with each other."""
