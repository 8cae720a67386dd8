"""What docker-compose.yml comes to with the values of an `.env`, read without Docker."""

import re
from pathlib import Path
from typing import Any

import yaml

from tests.containers.image import ROOT

VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?:(?P<how>:?[-?])(?P<other>[^}]*))?\}")
FILE = ROOT / "docker-compose.yml"
HTTPS = ROOT / "docker-compose.https.yml"
NEURAL = ROOT / "docker-compose.neural.yml"


class Missing(Exception):
    """A variable that has no default is not set."""


def example(**filled_in: str) -> dict[str, str]:
    """Return what `.env.example` sets, with some of it filled in."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return {**dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.M)), **filled_in}


def read(variables: dict[str, str], *files: Path) -> dict[str, Any]:
    """Return the file, or several as one, with its variables filled in; raises `Missing`."""
    found: dict[str, Any] = {}
    for file in files or (FILE,):
        found = _merged(found, _filled_in(yaml.safe_load(file.read_text(encoding="utf-8")), variables))
    return found


def _merged(first: Any, then: Any) -> Any:
    """Return what compose makes of a value that two files give: objects and lists are joined."""
    if isinstance(first, dict) and isinstance(then, dict):
        return first | {
            name: _merged(first[name], then[name]) if name in first else then[name] for name in then
        }
    return first + then if isinstance(first, list) and isinstance(then, list) else then


def _filled_in(value: Any, variables: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled_in(inner, variables) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled_in(inner, variables) for inner in value]
    return VARIABLE.sub(lambda found: _value(found, variables), value) if isinstance(value, str) else value


def _value(found: "re.Match[str]", variables: dict[str, str]) -> str:
    value, how = variables.get(found["name"]), found["how"] or ""
    # With a colon, an empty value is none.
    if value or (value is not None and ":" not in how):
        return value
    if how.endswith("-"):
        return str(found["other"])
    raise Missing(f"{found['name']}: {found['other'] or 'not set, and without a default'}")
