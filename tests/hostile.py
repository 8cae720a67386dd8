"""A provider of our own that speaks OpenAI's protocol, and others, and misbehaves as a script says.

A script is a text of steps parted by spaces: `"429:1 500 good"` answers in this order and repeats the
last step for ever; with `seed=7` every ask of every prompt draws its step at random, the same draws in
every order of the calls; `good*6` weighs six. `latency=0.2` lets every reply take so many seconds.

As a program: `python -m tests.hostile PORT SCRIPT [--journal FILE]`.
"""

import argparse
import contextlib
import json
import random
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.hostile_dialects import heard, key_in, unheard
from tests.hostile_replies import REPLIES, Reply, is_charged, prompt_of, token_count

CHUNK_BYTES = 65_536
DRIP_SECONDS = 0.2


class Step(NamedTuple):
    """One thing to do, a row of `REPLIES`; what the argument says is written there."""

    name: str
    argument: str = ""


class Script:
    """What to do with each request."""

    def __init__(self, text: str) -> None:
        self.latency_seconds = 0.0
        self.steps: list[Step] = []
        self._seed: str | None = None
        self._asked = 0
        for word in text.split():
            self._read(word)
        unknown = {step.name for step in self.steps} - set(REPLIES)
        if unknown or not self.steps:
            raise ValueError(f"no steps: {unknown or text!r}; there are {', '.join(REPLIES)}")

    def _read(self, word: str) -> None:
        name, equals, value = word.partition("=")
        if equals and name == "latency":
            self.latency_seconds = float(value)
        elif equals and name == "seed":
            self._seed = value
        else:
            step, _, weight = word.partition("*")
            self.steps += [Step(*step.split(":", 1))] * int(weight or 1)

    def step_for(self, prompt: str, *, ask: int) -> Step:
        """Return what to do with the nth ask (from 1) of a prompt."""
        if self._seed is not None:
            return random.Random(f"{self._seed} {ask} {prompt}").choice(self.steps)
        self._asked += 1
        return self.steps[min(self._asked, len(self.steps)) - 1]


class Entry(NamedTuple):
    """One request as the provider saw it; the journal is the outside truth of what was paid."""

    prompt: str
    path: str
    step: str
    is_charged: bool
    input_tokens: int
    output_tokens: int
    authorization: str

    def price(self, *, input_price: int, output_price: int) -> int:
        """Return what the provider charges, by its prices a token."""
        if not self.is_charged:
            return 0
        return self.input_tokens * input_price + self.output_tokens * output_price


def read_journal(path: Path) -> list[Entry]:
    """Return all requests so far, in the order of their arrival; a line being written is not there yet."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [Entry(**json.loads(line)) for line in text.rpartition("\n")[0].splitlines()]


def calls_paid_again(entries: list[Entry]) -> int:
    """Count charged calls beyond the first of each prompt."""
    charged = Counter(entry.prompt for entry in entries if entry.is_charged)
    return sum(count - 1 for count in charged.values())


def calls_paid_needlessly(entries: list[Entry]) -> int:
    """Count charged calls for prompts that had been answered well before."""
    answered: set[str] = set()
    needless = 0
    for entry in entries:
        needless += entry.is_charged and entry.prompt in answered
        answered |= {entry.prompt} if entry.step == "good" else set()
    return needless


class Listening:
    """A server that listens until the context ends; `closing` then lets go of handlers that wait."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], *, port: int = 0) -> None:
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), handler)

    def __enter__(self) -> Self:
        """Start to listen."""
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of whoever still waits."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class Provider(Listening):
    """A server on 127.0.0.1 that follows a script until the context ends."""

    def __init__(self, script: str, *, journal: Path, port: int = 0) -> None:
        self.script = Script(script)
        self.journal = journal
        self._asks: Counter[str] = Counter()
        self._lock = threading.Lock()
        provider = self

        class Handler(_Handler):
            owner = provider

        super().__init__(Handler, port=port)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._server.server_port

    @property
    def base_url(self) -> str:
        """What a connection is given as its address."""
        return f"{self.origin}/v1"

    @property
    def origin(self) -> str:
        """Where it is, whatever it is to speak."""
        return f"http://127.0.0.1:{self.port}"

    def entries(self) -> list[Entry]:
        """Return all requests so far."""
        return read_journal(self.journal)

    def take(self, *, path: str, body: dict[str, Any], authorization: str) -> Reply:
        """Decide about a request and write it down; what comes after this is charged, come what may."""
        prompt = prompt_of(body)
        with self._lock:
            self._asks[prompt] += 1
            step = self.script.step_for(prompt, ask=self._asks[prompt])
            reply = REPLIES[step.name](step.argument, body, self.port)
            entry = Entry(
                prompt=prompt,
                path=path,
                step=step.name,
                is_charged=is_charged(step.name),
                input_tokens=token_count(prompt),
                output_tokens=reply.output_tokens,
                authorization=authorization,
            )
            with self.journal.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps(entry._asdict()) + "\n")
        return reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Else closing would wait for those who hang on purpose.
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that were killed break off."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: Provider

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        said = json.loads(self.rfile.read(length) or b"{}")
        if refusal := unheard(self.path, self.headers, said):
            self._send(Reply(400, refusal))
            return
        body = heard(self.path, said)
        reply = self.owner.take(path=self.path, body=body, authorization=key_in(self.headers))
        self.owner.closing.wait(self.owner.script.latency_seconds)
        self._send(reply)

    def do_GET(self) -> None:
        """Take down whoever followed a redirect."""
        self.owner.take(path=self.path, body={}, authorization=self.headers.get("Authorization", ""))
        self._send(REPLIES["garbage"]("", {}, self.owner.port))

    def _send(self, reply: Reply) -> None:
        if reply.manner in {"hang", "cut"}:
            self.close_connection = True
            self.owner.closing.wait(None if reply.manner == "hang" else 0)
            return
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(reply.length or len(reply.body)))
        self.end_headers()
        self._send_body(reply)

    def _send_body(self, reply: Reply) -> None:
        size = 1 if reply.manner == "drip" else CHUNK_BYTES
        for start in range(0, len(reply.body), size):
            self.wfile.write(reply.body[start : start + size])
            if reply.manner == "drip" and self.owner.closing.wait(DRIP_SECONDS):
                break
        if reply.length:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its name)
        """Say nothing."""


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description="A provider that misbehaves as a script says.")
    parser.add_argument("port", type=int)
    parser.add_argument("script")
    parser.add_argument("--journal", type=Path, default=Path("journal.jsonl"))
    given = parser.parse_args()
    with (
        contextlib.suppress(KeyboardInterrupt),
        Provider(given.script, journal=given.journal, port=given.port) as provider,
    ):
        print(provider.base_url, flush=True)
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    main()
