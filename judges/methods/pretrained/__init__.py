"""Models with weights: where they lie, loaded once a process, their tokens and their numbers."""
