"""The study of the comparison's tests."""

from tests.judges.comparison.conftest import (  # noqa: F401
    all_decided,
    decide,
    exact_match,
    study,
    token_f1,
)
