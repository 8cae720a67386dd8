"""Calls to other servers: which addresses may be called, and the one way out."""
