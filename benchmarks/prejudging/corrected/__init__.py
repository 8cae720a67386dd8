"""Scores as labels correct them: what labels they take, whether intervals hold, and what previews expect."""
