"""What is kept for as long as its state stays the same."""

import numpy as np
import pytest

from common.memory import Memory, content_of, forget_everything


class TestMemory:
    def test_a_value_is_made_once_a_state(self) -> None:
        memory = Memory[object](size=2)
        first = memory.get("study", state=1, make=object)
        assert memory.get("study", state=1, make=object) is first
        assert memory.get("study", state=2, make=object) is not first

    def test_a_state_that_comes_back_is_read_anew(self) -> None:
        memory = Memory[object](size=2)
        first = memory.get("study", state=1, make=object)
        memory.get("study", state=2, make=object)
        assert memory.get("study", state=1, make=object) is not first

    def test_the_value_that_was_used_longest_ago_goes(self) -> None:
        memory = Memory[object](size=2)
        kept = {key: memory.get(key, state=1, make=object) for key in ("one", "two")}
        assert memory.get("one", state=1, make=object) is kept["one"]
        memory.get("three", state=1, make=object)
        assert memory.get("one", state=1, make=object) is kept["one"]
        assert memory.get("two", state=1, make=object) is not kept["two"]

    def test_what_could_not_be_made_is_not_kept(self) -> None:
        memory = Memory[float](size=2)
        with pytest.raises(ZeroDivisionError):
            memory.get("study", state=1, make=lambda: 1 / 0)
        assert memory.get("study", state=1, make=lambda: 2.0) == 2.0

    def test_everything_can_be_forgotten(self) -> None:
        memory = Memory[object](size=2)
        first = memory.get("study", state=1, make=object)
        forget_everything()
        assert memory.get("study", state=1, make=object) is not first


class TestContentOf:
    def test_tells_shape_and_type_apart_as_well_as_values(self) -> None:
        table = np.zeros((2, 3))
        assert content_of(table) == content_of(table.copy())
        assert content_of(table) != content_of(table.reshape(3, 2))
        assert content_of(table) != content_of(table.astype(np.int64))
