"""Management commands, one a file."""
