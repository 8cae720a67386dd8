"""Ports between steps."""

from importlib import import_module
from pathlib import Path

import pytest

from common.events import Port

ROOT = Path(__file__).parents[2]


def declared() -> list[Port[..., object]]:
    files = sorted(ROOT.glob("*/*/ports.py"))
    modules = (import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)) for file in files)
    return [port for module in modules for port in vars(module).values() if isinstance(port, Port)]


@Port
def last_digit(*, number: int) -> int:
    """Return what nobody knows."""
    raise NotImplementedError


class TestPort:
    def test_nobody_to_ask_is_a_bug(self) -> None:
        with pytest.raises(LookupError, match="last_digit"):
            last_digit(number=12)

    def test_every_port_is_provided(self) -> None:
        assert declared()
        assert [port.name for port in declared() if not port.is_provided] == []

    def test_no_port_is_provided_twice(self) -> None:
        for port in declared():
            with pytest.raises(ValueError, match="provided already"):
                port.provided_by(lambda *_args, **_kwargs: None)
