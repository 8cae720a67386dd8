"""Ask later steps for what they alone know, without importing them.

A port is declared in `ports.py` of the step that asks; `config.subscriptions` names the one who knows.
"""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Known = TypeVar("Known")


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
