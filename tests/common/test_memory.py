"""What is kept for as long as its state stays the same."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from common.memory import Memory, content_of, forget_everything, once, reading_once


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

    def test_who_misses_at_once_waits_for_the_one_who_makes_it(self) -> None:
        memory = Memory[object](size=2)
        makes, begun, may_end = [], Event(), Event()

        def make() -> object:
            makes.append(1)
            begun.set()
            assert may_end.wait(10)
            return object()

        with ThreadPoolExecutor() as people:
            first = people.submit(memory.get, "study", state=1, make=make)
            assert begun.wait(10)
            second = people.submit(memory.get, "study", state=1, make=make)
            # What is made under another key does not wait.
            assert memory.get("other", state=1, make=lambda: 3) == 3
            may_end.set()
            assert first.result() is second.result()
        assert makes == [1]

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


class TestReadingOnce:
    def test_a_block_reads_once_and_blocks_within_are_part_of_it(self) -> None:
        values = iter(range(9))
        with reading_once():
            first = once("plan", lambda: next(values))
            with reading_once():
                assert once("plan", lambda: next(values)) == first
            assert once("plan", lambda: next(values)) == first
            assert once("another", lambda: next(values)) != first

    def test_nothing_is_kept_beyond_it(self) -> None:
        values = iter(range(9))
        for expected in (0, 1):
            with reading_once():
                assert once("plan", lambda: next(values)) == expected
        assert [once("plan", lambda: next(values)) for _ in range(2)] == [2, 3]

    def test_a_block_that_fails_leaves_nothing(self) -> None:
        with pytest.raises(ZeroDivisionError), reading_once():
            once(once("plan", lambda: "another"), lambda: 1 / 0)
        assert once("plan", lambda: 2) == 2

    def test_nothing_is_also_kept(self) -> None:
        values = iter([None, 1])
        with reading_once():
            assert [once("pilot", lambda: next(values)) for _ in range(2)] == [None, None]

    def test_another_thread_reads_for_itself(self) -> None:
        with reading_once(), ThreadPoolExecutor(1) as other:
            once("plan", lambda: "mine")
            assert other.submit(once, "plan", lambda: "theirs").result() == "theirs"
