"""Decisions about connections: calls, addresses and keys."""
