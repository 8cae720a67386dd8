"""Numbers of the parts of a draw cost nothing, however far apart they are."""

from typing import Any

import numpy as np
import pytest

from annotation.projects.models import Project
from judges.comparison.selectors import study


def test_far_numbers_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[1, 1, 2**40, 0.5], [2, 0, 2**40, 0], [3, 1, 7, 0.25], [4, 0, -1, 0], [5, 0, 9, 0]])

    def read(*_: Any) -> Any:
        return rows

    monkeypatch.setattr(study, "read_numbers", read)
    found = study._read_questions(Project(pk=1))
    assert found.probability.tolist() == [0.5, 0.5, 0.25, 0.0, 0.0]
    assert found.stratum.tolist() == [2**40, 2**40, 7, -1, 9]
