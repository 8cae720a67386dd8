"""Release: what leaves a project."""
