"""Events and ports: tell later steps, or ask them, without importing them.

An event is a frozen dataclass in `events.py` of the step that publishes it, a port a function in `ports.py`
of the step that asks; `config.steps.subscriptions` names who listens, and the one who knows.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Known = TypeVar("Known")

_SUBSCRIBERS: dict[object, tuple[Callable[..., object], ...]] = {}
# Who listens to what, to be read.
SUBSCRIBERS: Mapping[object, tuple[Callable[..., object], ...]] = MappingProxyType(_SUBSCRIBERS)


def subscribe(kind: Callable[Asked, object], *subscribers: Callable[Asked, object]) -> None:
    """Name everybody who listens to a kind of event, in the order in which they are called; once a kind.

    They take what the event is made of, its fields by name.
    """
    if kind in _SUBSCRIBERS:
        raise ValueError(f"{kind} already has its subscribers.")
    _SUBSCRIBERS[kind] = subscribers


def publish(event: object) -> None:
    """Call every subscriber of an event in order, inside the caller's transaction if there is one.

    Raises `KeyError` for a kind of event that `config.steps.subscriptions` does not list.
    """
    for subscriber in _SUBSCRIBERS[type(event)]:
        subscriber(**vars(event))


class Port(Generic[Asked, Known]):
    """A function that a later step provides, with the parameters and the result of its declaration."""

    def __init__(self, declared: Callable[Asked, Known]) -> None:
        self.name = f"{declared.__module__}.{declared.__name__}"
        self._knower: Callable[Asked, Known] | None = None

    def __call__(self, *args: Asked.args, **kwargs: Asked.kwargs) -> Known:
        """Return what the one step says that knows. Raises `LookupError` where nobody was named."""
        if self._knower is None:
            raise LookupError(f"Nobody provides {self.name}.")
        return self._knower(*args, **kwargs)

    @property
    def is_provided(self) -> bool:
        """Whether somebody was named."""
        return self._knower is not None

    def provided_by(self, knower: Callable[Asked, Known]) -> None:
        """Name the one who knows; once."""
        if self._knower is not None:
            raise ValueError(f"{self.name} is provided already.")
        self._knower = knower
