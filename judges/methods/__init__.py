"""Judge methods, one a file; no Django."""
