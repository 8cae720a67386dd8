"""Raters at work over HTTP: the load, Assay under it, and what it takes."""
