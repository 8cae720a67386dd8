"""What a study has found: the best system, and the judge to trust."""
