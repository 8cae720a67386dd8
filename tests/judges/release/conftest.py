"""The study of the comparison."""

from tests.judges.comparison.conftest import (
    all_decided,
    decide,
    exact_match,
    study,
    token_f1,
)

__all__ = ["all_decided", "decide", "exact_match", "study", "token_f1"]
