"""Keep what was read: for as long as a project stays as it is, or until a request is answered.

And what was computed, for as long as it would be computed from the same again; and what a web process has
made, for the others.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from hashlib import blake2b
from threading import Lock
from time import monotonic, sleep
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakValueDictionary

import numpy as np
from django.core.cache import caches

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")
# Of a study with 100,000 answers: what was imported takes 25 MB, each run 1 MB; all boards together 100 MB.
PROJECTS = 4
VALUES_OF_PROJECT = 512
VALUES_COMPUTED = 1_024
# Others are sent what one has made for so long, and wait so long for what one is making; all in seconds.
SHARED = 600
PATIENCE = 20
LOOKS_EVERY = 0.05
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


def know(name: Hashable, value: object) -> None:
    """Have `once` return this under the name until the block ends: it was read together with other things."""
    once(name, lambda: value)


class Memory:
    """The last few values of this process, each with the state it was made from.

    A value is only ever replaced, never changed: whoever gets one must not write to it. Of two requests
    that miss at once one makes it and the other waits: a page asks for several things made of the same rows.
    """

    def __init__(self, *, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()
        # A lock for each key that is being made, for as long as somebody holds it.
        self._makers: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()

    def get(
        self,
        key: Hashable,
        *,
        state: Hashable,
        make: Callable[[], Value],
        still: Callable[[], Hashable] | None = None,
    ) -> Value:
        """Return the value kept under this key if it was made from this state, else make and keep it.

        still: tells the state once it was made; a value that was made while it changed is not kept.
        """
        with self._lock:
            maker = self._makers.setdefault(key, Lock())
            if self._is_kept(key, state):
                return cast(Value, self._kept[key][1])
        with maker:
            with self._lock:
                if self._is_kept(key, state):
                    return cast(Value, self._kept[key][1])
            value = make()
            if still is None or still() == state:
                self._keep(key, state, value)
        return value

    def find(self, key: Hashable, *, state: Hashable) -> object | None:
        """Return the value kept under this key if it was made from this state."""
        with self._lock:
            return self._kept[key][1] if self._is_kept(key, state) else None

    def _is_kept(self, key: Hashable, state: Hashable) -> bool:
        if key not in self._kept or self._kept[key][0] != state:
            return False
        self._kept.move_to_end(key)
        return True

    def _keep(self, key: Hashable, state: Hashable, value: object) -> None:
        with self._lock:
            self._kept[key] = (state, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()


_of_projects = Memory(size=PROJECTS)
_computed = Memory(size=VALUES_COMPUTED)


def memory_of_project(project_id: int) -> Memory:
    """Return what is kept of one project; that of the last few is."""
    return _of_projects.get(project_id, state=None, make=lambda: Memory(size=VALUES_OF_PROJECT))


def computed(make: Callable[Parameters, Value], *args: Parameters.args, **kwargs: Parameters.kwargs) -> Value:
    """Return what this function makes of these arguments, or made of equal ones: it asks for nothing else."""
    key = (make, content_of(args), content_of(kwargs))
    return _computed.get(key, state=None, make=lambda: make(*args, **kwargs))


def shared(name: str, make: Callable[[], bytes]) -> bytes:
    """Return the bytes that a web process made under this name, else make them for all.

    The name says all that they are made from. Whoever asks while one makes them waits, at most `PATIENCE`
    seconds. Without a queue, or with it away, everybody makes their own.
    """
    from redis.exceptions import RedisError

    key = blake2b(name.encode(), digest_size=16).hexdigest()
    mark = f"{key}-is-made"
    with suppress(RedisError):
        found = _find_shared(key, mark)
        if found is not None:
            return found
    try:
        value = make()
        with suppress(RedisError):
            caches["shared"].set(key, value, SHARED)
    finally:
        with suppress(RedisError):
            caches["shared"].delete(mark)
    return value


def _find_shared(key: str, mark: str) -> bytes | None:
    """Return what is there, or nothing once it is the caller's turn to make it."""
    cache, end = caches["shared"], monotonic() + PATIENCE
    while True:
        found: bytes | None = cache.get(key)
        if found is not None or monotonic() > end or cache.add(mark, b"", PATIENCE):
            return found
        sleep(LOOKS_EVERY)


class Plain:
    """How bytes lie in the shared memory: as they are, so that nothing is unpickled that lies there."""

    def dumps(self, value: bytes) -> bytes:
        """Return the same."""
        return value

    def loads(self, value: bytes) -> bytes:
        """Return the same."""
        return value


def content_of(value: object) -> Hashable:
    """Return a name for what a value holds: equal contents have equal names.

    Arrays, and tuples, lists and dictionaries of such, in their order.
    """
    if isinstance(value, np.ndarray):
        digest = blake2b(np.ascontiguousarray(value).tobytes(), digest_size=16).hexdigest()
        return (digest, value.shape, value.dtype.str)
    if isinstance(value, Mapping):
        return (dict, tuple((key, content_of(each)) for key, each in value.items()))
    if isinstance(value, tuple | list):
        return (type(value), tuple(map(content_of, value)))
    assert isinstance(value, Hashable)
    return value


def forget_everything() -> None:
    """Forget what this process keeps: keys of rows mean something else in another database."""
    _of_projects.clear()
    _computed.clear()
