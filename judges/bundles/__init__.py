"""Bundles: a whole study as one file, to keep, or to move to another server or database."""
