"""Readers of files: one file format a module, pure, streaming, line numbers on everything."""
