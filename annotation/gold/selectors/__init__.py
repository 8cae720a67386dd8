"""Reads of gold answers: the ledger and its versions, and what is proposed for it."""
