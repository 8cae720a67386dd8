from typing import Any

import pytest

from annotation.items.formats.records import DEEPEST, is_too_deep


def nested(levels: int, *, as_object: bool) -> Any:
    value: Any = "text"
    for level in range(levels):
        is_object = as_object and level % 2 == 0
        value = {"a": 1, "b": value} if is_object else [None, value, []][: 3 if level else 2]
    return value


class TestIsTooDeep:
    @pytest.mark.parametrize("as_object", [True, False])
    @pytest.mark.parametrize("levels", [1, 2, DEEPEST - 1, DEEPEST])
    def test_fifty_levels_are_fine(self, levels: int, as_object: bool) -> None:
        assert not is_too_deep(nested(levels, as_object=as_object))

    @pytest.mark.parametrize("as_object", [True, False])
    @pytest.mark.parametrize("levels", [DEEPEST + 1, 100_000])
    def test_more_are_not(self, levels: int, as_object: bool) -> None:
        assert is_too_deep(nested(levels, as_object=as_object))

    def test_a_row_has_a_level_of_its_own(self) -> None:
        row = {"a": nested(DEEPEST, as_object=True)}
        assert is_too_deep(row)
        assert not is_too_deep(row, deepest=DEEPEST + 1)
