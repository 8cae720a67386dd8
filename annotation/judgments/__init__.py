"""Judgments: submitted labels, question checks, revisions and undo."""
