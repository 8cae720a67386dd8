"""Whole servers, backed up and restored."""
