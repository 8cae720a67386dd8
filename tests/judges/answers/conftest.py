"""The small study of the comparison's tests."""

from tests.judges.comparison.conftest import all_decided, decide, exact_match, study

__all__ = ["all_decided", "decide", "exact_match", "study"]
