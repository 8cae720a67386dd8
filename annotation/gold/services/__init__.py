"""Writes of the gold ledger: by decisions and by hand, and by proposals."""
