"""What a study has found, read."""
