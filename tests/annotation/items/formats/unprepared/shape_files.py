"""What a made-up file is: its bytes, what it means, and the one mapping that may explain it."""

import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any, NamedTuple

# A question, its gold answers, and what each system answered.
Meaning = tuple[str, list[str], dict[str, str]]


class ShapeFile(NamedTuple):
    """One file. `mapping` and `options` are what a person says once, where it does not speak for itself.

    rows: None where the file cannot be read at all, and has to be refused in words.
    """

    name: str
    content: bytes
    rows: list[Meaning] | None
    mapping: Mapping[str, str] = {}
    options: Mapping[str, str] = {}


def json_bytes(value: Any, **how: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, **how).encode()


def lines_of(*values: Any) -> bytes:
    return b"".join(json_bytes(value) + b"\n" for value in values)


def zipped(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return held.getvalue()


def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
