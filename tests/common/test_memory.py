"""What is kept for as long as its state stays the same."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
from django.conf import LazySettings

from analysis.arrays import Integers
from common import memory
from common.identifiers import new_public_id
from common.memory import (
    PROJECTS,
    Memory,
    computed,
    content_of,
    forget_everything,
    memory_of_project,
    once,
    reading_once,
    shared,
)
from config.env import shared_memory


class TestMemory:
    def test_a_value_is_made_once_a_state(self) -> None:
        memory = Memory(size=2)
        first = memory.get("study", state=1, make=object)
        assert memory.get("study", state=1, make=object) is first
        assert memory.get("study", state=2, make=object) is not first

    def test_a_state_that_comes_back_is_read_anew(self) -> None:
        memory = Memory(size=2)
        first = memory.get("study", state=1, make=object)
        memory.get("study", state=2, make=object)
        assert memory.get("study", state=1, make=object) is not first

    def test_the_value_that_was_used_longest_ago_goes(self) -> None:
        memory = Memory(size=2)
        kept = {key: memory.get(key, state=1, make=object) for key in ("one", "two")}
        assert memory.get("one", state=1, make=object) is kept["one"]
        memory.get("three", state=1, make=object)
        assert memory.get("one", state=1, make=object) is kept["one"]
        assert memory.get("two", state=1, make=object) is not kept["two"]

    def test_what_could_not_be_made_is_not_kept(self) -> None:
        memory = Memory(size=2)
        with pytest.raises(ZeroDivisionError):
            memory.get("study", state=1, make=lambda: 1 / 0)
        assert memory.get("study", state=1, make=lambda: 2.0) == 2.0

    def test_who_misses_at_once_waits_for_the_one_who_makes_it(self) -> None:
        memory = Memory(size=2)
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

    def test_what_was_made_while_the_state_changed_is_not_kept(self) -> None:
        memory = Memory(size=2)
        first = memory.get("study", state=1, make=object, still=lambda: 2)
        assert memory.find("study", state=1) is None
        assert memory.get("study", state=1, make=object, still=lambda: 1) is not first
        assert memory.find("study", state=1) is not None

    def test_everything_can_be_forgotten(self) -> None:
        memory = memory_of_project(1)
        first = memory.get("study", state=1, make=object)
        assert memory_of_project(1).get("study", state=1, make=object) is first
        forget_everything()
        assert memory_of_project(1).get("study", state=1, make=object) is not first

    def test_of_many_projects_the_last_few_are_kept(self) -> None:
        first = memory_of_project(1)
        for number in range(2, 2 + PROJECTS):
            memory_of_project(number)
        assert memory_of_project(1) is not first


class TestComputed:
    def test_the_same_arguments_are_computed_from_once(self) -> None:
        asked = []

        def add(numbers: Integers, *, by: int) -> Integers:
            asked.append(by)
            return numbers + by

        first = computed(add, np.arange(3), by=1)
        assert computed(add, np.arange(3), by=1) is first
        assert computed(add, np.arange(3), by=2).tolist() == [2, 3, 4]
        assert computed(add, np.arange(4), by=1).tolist() == [1, 2, 3, 4]
        assert asked == [1, 2, 1]

    def test_functions_are_told_apart(self) -> None:
        assert computed(np.sum, np.arange(3)) == 3
        assert computed(np.max, np.arange(3)) == 2


class TestContentOf:
    def test_tells_shape_and_type_apart_as_well_as_values(self) -> None:
        table = np.zeros((2, 3))
        assert content_of(table) == content_of(table.copy())
        assert content_of(table) != content_of(table.reshape(3, 2))
        assert content_of(table) != content_of(table.astype(np.int64))

    def test_tells_apart_what_holds_them(self) -> None:
        one, other = np.zeros(2), np.ones(2)
        assert content_of((one, other)) == content_of((one.copy(), other.copy()))
        assert content_of((one, other)) != content_of((other, one))
        assert content_of({"a": one, "b": None}) != content_of({"a": one, "c": None})
        assert content_of([one]) != content_of((one,))


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


class TestShared:
    def test_a_reply_is_made_once_a_name(self) -> None:
        assert shared("a" * 1_000, lambda: b"first") == b"first"
        assert shared("a" * 1_000, lambda: b"second") == b"first"
        assert shared("b", lambda: b"second") == b"second"

    def test_who_asks_while_it_is_made_waits_for_it(self) -> None:
        is_making, may_end = Event(), Event()

        def make() -> bytes:
            is_making.set()
            assert may_end.wait(10)
            return b"first"

        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(shared, "board", make)
            assert is_making.wait(10)
            second = pool.submit(shared, "board", lambda: b"second")
            may_end.set()
            assert (first.result(), second.result()) == (b"first", b"first")

    def test_who_fails_leaves_it_to_the_next(self) -> None:
        def fail() -> bytes:
            raise ValueError("cannot be made")

        with pytest.raises(ValueError, match="cannot be made"):
            shared("board", fail)
        assert shared("board", lambda: b"second") == b"second"

    def test_nobody_waits_longer_than_their_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(memory, "PATIENCE", 0)
        assert shared("board", lambda: shared("board", lambda: b"own")) == b"own"

    def test_with_the_queue_away_everybody_makes_their_own(self, settings: LazySettings) -> None:
        settings.CACHES = settings.CACHES | {"shared": shared_memory("redis+socket:///nowhere/redis.sock")}
        assert shared("board", lambda: b"first") == b"first"
        assert shared("board", lambda: b"second") == b"second"

    @pytest.mark.skipif("REDIS_URL" not in os.environ, reason="needs Redis: make test-services")
    def test_redis_keeps_bytes_as_they_are(self, settings: LazySettings) -> None:
        settings.CACHES = settings.CACHES | {"shared": shared_memory(os.environ["REDIS_URL"])}
        name = new_public_id()
        assert shared(name, lambda: b"\x80first") == shared(name, lambda: b"second") == b"\x80first"
