"""Assignments: who judges what next."""
