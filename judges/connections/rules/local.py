"""Models on this machine: which the administrator offers, under which name."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from judges.connections.rules.calls import Parameters

UNREADABLE = (
    "The files of the local model “{name}” cannot be read, or its folder has no safetensors weights. The "
    "administrator of this server can check the folder (ASSAY_LOCAL_MODELS)."
)

PARAMETERS = Parameters(numbers={}, choices={"enable_thinking": (True, False)})

_NAME = re.compile(r"[\w.-]{1,100}", re.ASCII)
# A commit never changes; a branch may be another model tomorrow, under the same signature.
_ON_A_HUB = re.compile(r"(?P<id>[\w.-]+/[\w.-]+)@(?P<commit>[0-9a-f]{40})", re.ASCII)


class LocalModel(NamedTuple):
    """A model: in a folder (commit is empty), or at one commit of a hub."""

    name: str
    place: str
    commit: str = ""


def parse_models(entries: Iterable[str]) -> dict[str, LocalModel]:
    """Return the models by name from entries `NAME=/FOLDER` and `NAME=OWNER/MODEL@COMMIT`.

    Raises `ValueError` in words.
    """
    models: dict[str, LocalModel] = {}
    for entry in entries:
        model = _parse_model(entry.strip())
        if model.name in models:
            raise ValueError(f"the name {model.name} occurs twice")
        models[model.name] = model
    return models


def _parse_model(entry: str) -> LocalModel:
    name, _, place = entry.partition("=")
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{entry} must begin with a name of letters, digits, dots, hyphens, and underscores, then ="
        )
    if place.startswith("/"):
        return LocalModel(name, place)
    found = _ON_A_HUB.fullmatch(place)
    if found is None:
        raise ValueError(f"{entry} must name a folder from / on, or OWNER/MODEL@COMMIT with all 40 digits")
    return LocalModel(name, found["id"], found["commit"])
