"""Prompts: what a model is asked, by version and hash."""
