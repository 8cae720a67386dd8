"""The small shared kernel."""
