"""Keep what was read from the database for as long as the rows it came from stay the same."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import blake2b
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value")
_memories: "WeakSet[Memory[Any]]" = WeakSet()


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
