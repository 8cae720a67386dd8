"""Accounts: who somebody is, and how they sign in."""
