"""Keep what was read from the database: while its rows stay the same, or until a request is answered."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from threading import Lock
from typing import Any, Generic, TypeVar, cast
from weakref import WeakSet, WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value")
_memories: "WeakSet[Memory[Any]]" = WeakSet()
_read: ContextVar[dict[Hashable, Any] | None] = ContextVar("read", default=None)


@contextmanager
def reading_once() -> Iterator[None]:
    """Read what goes through `once` a single time until the block ends; a block within is part of it.

    For rules and plans that somebody else makes, not for what the block itself changes.
    """
    if _read.get() is not None:
        yield
        return
    token = _read.set({})
    try:
        yield
    finally:
        _read.reset(token)


def once(name: Hashable, read: Callable[[], Value]) -> Value:
    """Return what was read under this name in this block of `reading_once`; outside of one, read it."""
    known = _read.get()
    if known is None:
        return read()
    if name not in known:
        known[name] = read()
    return cast(Value, known[name])


class Memory(Generic[Value]):
    """The last few values of this process, each with the state it was made from.

    A value is only ever replaced, never changed: whoever gets one must not write to it. Of two requests
    that miss at once one makes it and the other waits: a page asks for several things made of the same rows.
    """

    def __init__(self, *, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, tuple[Hashable, Value]] = OrderedDict()
        self._lock = Lock()
        # A lock for each key that is being made, for as long as somebody holds it.
        self._makers: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()
        _memories.add(self)

    def get(self, key: Hashable, *, state: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value kept under this key if it was made from this state, else make and keep it."""
        with self._lock:
            maker = self._makers.setdefault(key, Lock())
            if self._is_kept(key, state):
                return self._kept[key][1]
        with maker:
            with self._lock:
                if self._is_kept(key, state):
                    return self._kept[key][1]
            value = make()
            self._keep(key, state, value)
        return value

    def _is_kept(self, key: Hashable, state: Hashable) -> bool:
        if key not in self._kept or self._kept[key][0] != state:
            return False
        self._kept.move_to_end(key)
        return True

    def _keep(self, key: Hashable, state: Hashable, value: Value) -> None:
        with self._lock:
            self._kept[key] = (state, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()


def content_of(array: NDArray[Any]) -> tuple[object, ...]:
    """Return a name for what an array holds: equal contents have equal names."""
    digest = blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16).hexdigest()
    return (digest, array.shape, array.dtype.str)


def forget_everything() -> None:
    """Empty every memory of this process: keys of rows mean something else in another database."""
    for memory in _memories:
        memory.clear()
