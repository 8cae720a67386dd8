"""The closed list of what a connection may add to a request, since a request can also do harm or cost."""

from collections.abc import Mapping
from typing import Any

_NUMBERS = {
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "top_k": (0, 1000),
    "presence_penalty": (-2.0, 2.0),
    "frequency_penalty": (-2.0, 2.0),
}
_CHOICES: dict[str, tuple[str | bool, ...]] = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high"),
    "service_tier": ("auto", "default", "flex", "priority"),
    # What the server calls the limit, and what it refuses or cannot do.
    "max_tokens_field": ("max_tokens", "max_completion_tokens"),
    "structured_output": ("json_schema", "json_object", "none"),
    "sends_temperature": (True, False),
    "enable_thinking": (True, False),
}
KNOWN = tuple(sorted({*_NUMBERS, *_CHOICES}))
_AS_THEY_ARE = {*_NUMBERS, "reasoning_effort", "service_tier"}
# Servers take these, OpenAI's library does not know them.
_EXTRA = {"top_k", "min_p"}


class UnusableParameter(ValueError):
    """A parameter that is not on the list, or a value it cannot take; `name` says which."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


def parse_parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters, checked and in alphabetical order; raises `UnusableParameter`."""
    for name, value in given.items():
        _require_usable(name, value)
    return {name: given[name] for name in sorted(given)}


def _require_usable(name: str, value: Any) -> None:
    if name not in KNOWN:
        raise UnusableParameter(name, f"there are: {', '.join(KNOWN)}")
    if name in _CHOICES:
        choices = _CHOICES[name]
        if not any(value is choice or (isinstance(choice, str) and value == choice) for choice in choices):
            raise UnusableParameter(name, f"one of {', '.join(str(choice).lower() for choice in choices)}")
        return
    low, high = _NUMBERS[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise UnusableParameter(name, f"a number from {low} to {high}")


def sent_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the request that the parameters stand for."""
    fields: dict[str, Any] = {
        name: value for name, value in parameters.items() if name in _AS_THEY_ARE - _EXTRA
    }
    extra: dict[str, Any] = {name: value for name, value in parameters.items() if name in _EXTRA}
    if "enable_thinking" in parameters:
        extra["chat_template_kwargs"] = {"enable_thinking": parameters["enable_thinking"]}
    return {**fields, "extra_body": extra} if extra else fields
