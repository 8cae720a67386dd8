"""Potato under the same load: texts and two labels, by `potato start`; it keeps everything in files.

As its page does, a label is kept, the next text is asked for, and the page with it is loaded. Two raters a
text are wanted, as in Assay.
"""

import json
import os
import re
import urllib.parse
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from benchmarks.peers.environments import version_of
from benchmarks.raters.load import Connection, random_label
from benchmarks.raters.platforms import RATERS_AN_ANSWER, Item, Platform, started
from tools.with_services import free_port

# None: it is measured once, beside the first.
DATABASES: tuple[str, ...] = ()
INSTANCE = re.compile(rb'<input id="instance_id"[^>]* value="([^"]+)"')
LABELS = ("correct", "incorrect")


class Rater:
    """A rater at the page with one text."""

    def __init__(self, connection: Connection, person: dict[str, Any]) -> None:
        """Take the way to the server, and the rater's number."""
        self._connection, self._number = connection, person["number"]
        self._text: str | None = None
        self._is_done = False

    def open(self) -> None:
        """Load the page with the first text."""
        self._load()

    def hand_in(self) -> int:
        """Keep a label, go on, and load the page with the next text."""
        if self._text is None:
            self._load()
            return 0
        label = random_label(LABELS, self._text, self._number)
        kept = {
            "instance_id": self._text,
            "annotations": {f"label:{label}": label},
            "cleared_schemas": [],
            "span_annotations": [],
            "response_time_seconds": 5,
        }
        self._connection.ask("POST", "/updateinstance", kept)
        self._connection.ask("POST", "/annotate", {"action": "next_instance", "instance_id": self._text})
        self._load()
        return 1

    def prepare(self) -> None:
        """Do nothing: the page holds one text."""

    def is_done(self) -> bool:
        """Return whether the page came without a text."""
        return self._is_done

    def _load(self) -> None:
        found = INSTANCE.search(self._connection.read("GET", "/annotate"))
        before, self._text = self._text, found[1].decode() if found else None
        self._is_done = self._text is None or self._text == before


@contextmanager
def platform(
    *, environment: Path, folder: Path, database: str, items: Sequence[Item], raters: int
) -> Iterator[Platform]:
    """Write a study with every answer as a text, and start Potato on it."""
    del database
    port = free_port()
    texts = [f"{item.question}\n{answer}" for item in items for answer in item.answers]
    lines = (f"{json.dumps({'id': str(place), 'text': text})}\n" for place, text in enumerate(texts))
    (folder / "data.jsonl").write_text("".join(lines), encoding="utf-8")
    scheme = {"annotation_type": "radio", "name": "label", "description": "label", "labels": LABELS}
    study = {
        "annotation_task_name": "load",
        "task_dir": ".",
        "output_annotation_dir": "out",
        "output_annotation_format": "jsonl",
        "data_files": ["data.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "annotation_schemes": [scheme],
        "num_annotators_per_item": RATERS_AN_ANSWER,
        "require_password": False,
    }
    # JSON is YAML.
    (folder / "config.yaml").write_text(json.dumps(study), encoding="utf-8")
    command: list[str | Path] = [
        environment / "bin" / "potato",
        "start",
        "config.yaml",
        "--port",
        str(port),
        "--host",
        "127.0.0.1",
    ]
    with started(command, port=port, log=folder / "log", environment=os.environ, folder=folder) as process:
        yield Platform(
            name=f"Potato {version_of('potato_annotation', environment)}",
            module=__name__,
            url=f"http://127.0.0.1:{port}",
            process=process,
            people=[_sign_in(port, number) for number in range(raters)],
            count_over=partial(_count_over, folder / "out"),
        )


def _sign_in(port: int, number: int) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/auth", urllib.parse.urlencode({"email": f"rater-{number}"}), headers)
    reply = connection.getresponse()
    reply.read()
    session = (reply.getheader("Set-Cookie") or "").partition(";")[0]
    return {"number": number, "headers": {"Cookie": session, "X-Potato-Navigation": "1"}}


def _count_over(folder: Path) -> int:
    kept = (json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*/user_state.json"))
    votes = Counter(text for state in kept for text in state["instance_id_to_label_to_value"])
    return sum(count > RATERS_AN_ANSWER for count in votes.values())
