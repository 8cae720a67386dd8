"""Webhooks: other programs hear of what happened in a project."""
