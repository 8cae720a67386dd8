"""Decisions about connections: which address may be called, what a base URL is, what money is."""
