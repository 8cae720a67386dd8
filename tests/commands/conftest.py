"""Reproductions are read as the studies of judges are."""

from tests.judges.conftest import reading

__all__ = ["reading"]
