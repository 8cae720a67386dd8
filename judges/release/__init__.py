"""Release: exports that hold verdicts."""
