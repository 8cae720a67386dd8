"""Slow and large clients hold sockets and nothing else."""

import asyncio
import http.client
import io
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.util import FileWrapper

import pytest
from django.conf import LazySettings

from commands import processes
from common.web.serving import PatientServer, environ_of
from tests.faults.guard import Guard, Started
from tests.faults.servers import lasting_port, wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
LARGE_BYTES = 60_000_000
# For a busy machine; nothing waits for it where all is well.
PATIENCE_SECONDS = 120


def scope_of(path: str, *, method: str = "POST", **headers: str) -> dict[str, Any]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "raw_path": path.encode(),
        "query_string": b"a=%ff",
        "headers": named,
        "server": ("127.0.0.1", "8000"),
        "client": ("10.0.0.7", "5000"),
    }


class Exchange:
    """One request to a server within this process: what it is asked for, and what it sends."""

    def __init__(self, application: Callable[..., Any], *, patience_seconds: float = 60) -> None:
        self.counted: list[tuple[str, int]] = []
        self.server = PatientServer(
            application,
            threads=1,
            patience_seconds=patience_seconds,
            count=lambda method, status: self.counted.append((method, status)),
        )
        self.asked = 0
        self.sent: list[dict[str, Any]] = []

    def ask(self, scope: dict[str, Any], *messages: dict[str, Any], takes_reply: bool = True) -> bytes:
        """Send a request; after its last message nothing comes any more."""
        waiting = list(messages)

        async def receive() -> dict[str, Any]:
            self.asked += 1
            return waiting.pop(0) if waiting else await asyncio.Future()

        async def send(message: dict[str, Any]) -> None:
            self.sent.append(message)
            if not takes_reply and message.get("body"):
                await asyncio.Future()

        asyncio.run(self.server(scope, receive, send))
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])


def piece(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("200 OK", [("X-Length", environ["CONTENT_LENGTH"])])
    return [environ["wsgi.input"].read(), b"!"]


class TestRequests:
    def test_are_handed_on_whole_with_their_true_length(self) -> None:
        exchange = Exchange(echo)
        assert exchange.ask(scope_of("/api/x"), piece(b"ab", more=True), piece(b"c")) == b"abc!"
        assert exchange.sent[0]["headers"] == [(b"x-length", b"3")]

    def test_what_is_announced_as_too_large_is_not_read(self, settings: LazySettings) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
        exchange = Exchange(echo)
        said = json.loads(exchange.ask(scope_of("/api/session", content_length="101")))
        assert (exchange.status, exchange.asked, said["error"]["code"]) == (413, 0, "too_large")
        assert exchange.counted == [("POST", 413)]

    def test_what_is_not_announced_is_counted(self, settings: LazySettings) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
        exchange = Exchange(echo)
        exchange.ask(scope_of("/api/session"), *[piece(b"x" * 60, more=True)] * 50)
        assert (exchange.status, exchange.asked) == (413, 2)

    def test_that_stop_coming_are_ended(self) -> None:
        exchange = Exchange(echo, patience_seconds=0.05)
        said = json.loads(exchange.ask(scope_of("/api/session"), piece(b"x", more=True)))
        assert (exchange.status, said["error"]["code"]) == (408, "too_slow")
        assert (b"connection", b"close") in exchange.sent[0]["headers"]

    def test_that_break_off_reach_nobody(self) -> None:
        exchange = Exchange(echo)
        said = json.loads(
            exchange.ask(scope_of("/api/x"), piece(b"x", more=True), {"type": "http.disconnect"})
        )
        assert (exchange.status, said["error"]["code"]) == (400, "cut_off")

    def test_files_are_read_only_from_those_who_may_look_there(self) -> None:
        def refuse(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
            start_response("403 Forbidden", [("X-Method", environ["REQUEST_METHOD"])])
            return [b"{}"]

        exchange = Exchange(refuse)
        scope = scope_of("/api/projects/small/imports", content_length="150000000")
        assert exchange.ask(scope, piece(b"x" * 1_000, more=True)) == b"{}"
        assert (exchange.status, exchange.asked) == (403, 0)
        assert (b"x-method", b"GET") in exchange.sent[0]["headers"]
        assert exchange.counted == [("POST", 403)]

    def test_files_of_those_who_may_are(self) -> None:
        exchange = Exchange(echo)
        scope = scope_of("/api/projects/small/imports", content_length="6000000")
        assert len(exchange.ask(scope, *[piece(b"x" * 3_000_000, more=True), piece(b"")])) == 3_000_001
        # Asking first is no request of the client's.
        assert exchange.counted == [("POST", 200)]


class TestReplies:
    @staticmethod
    def send_file(
        file: io.BytesIO,
    ) -> Callable[[dict[str, Any], Callable[..., Any]], FileWrapper]:
        def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> FileWrapper:
            start_response("200 OK", [])
            wrapped: FileWrapper = environ["wsgi.file_wrapper"](file, 1)
            return wrapped

        return application

    def test_files_go_out_in_pieces_and_are_closed(self, db: None) -> None:
        file = io.BytesIO(b"x" * 200_000)
        exchange = Exchange(self.send_file(file))
        assert len(exchange.ask(scope_of("/", method="GET"), piece(b""))) == 200_000
        assert (len(exchange.sent), file.closed) == (6, True)

    @pytest.mark.parametrize("is_file", [True, False])
    def test_that_nobody_takes_are_given_up(self, db: None, *, is_file: bool) -> None:
        file = io.BytesIO(b"x" * 200_000)
        application = self.send_file(file) if is_file else lambda *_: _[1]("200 OK", []) or [b"x" * 200_000]
        # No time at all for the reply; the request is there at once.
        exchange = Exchange(application, patience_seconds=0.05)
        exchange.ask(scope_of("/", method="GET"), piece(b""), takes_reply=False)
        assert [len(message.get("body", b"")) for message in exchange.sent] == [0, 65_536]
        assert file.closed is is_file


class TestEnviron:
    def test_is_what_wsgi_servers_say(self) -> None:
        scope = scope_of("/a%ff%2Fb", content_type="text/plain", content_length="7")
        scope["headers"] += [(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"x-y", b"1"), (b"x_y", b"2")]
        environ = environ_of(scope)
        assert environ["PATH_INFO"] == "/a\xff/b"
        assert environ["REMOTE_ADDR"] == "10.0.0.7"
        assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == ("text/plain", "7")
        assert (environ["HTTP_COOKIE"], environ["HTTP_X_Y"]) == ("a=1; b=2", "1")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server of our own, whose patience is two seconds."""
    folder = tmp_path_factory.mktemp("slow")
    with (folder / "large.bin").open("wb") as file:
        file.truncate(LARGE_BYTES)
    with serving(folder, patience_seconds=2) as (port, _):
        yield port


@contextmanager
def serving(folder: Path, **how: int) -> Iterator[tuple[int, Started]]:
    """Start the web server; yield its port, and the process that starts the others."""
    port = lasting_port()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "ASSAY_DATA": str(folder),
        "ASSAY_FRONTEND": str(folder),
        "ASSAY_CLIENT_PATIENCE_SECONDS": "2",
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    command = processes.web_service(host="127.0.0.1", port=port, **how).command
    address = f"http://127.0.0.1:{port}"
    with Guard(log=folder / "log") as guard:
        process = guard.start(command, environment=environment, folder=ROOT, address=address)
        wait_until(lambda: is_open(port), what="the web server")
        yield port, process


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def get(port: int, path: str) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        line.request("GET", path)
        return line.getresponse().status
    finally:
        line.close()


def take_all(line: socket.socket) -> int:
    """Return how many bytes come until the server ends it; fails where it does not."""
    line.settimeout(PATIENCE_SECONDS)
    taken = 0
    try:
        while received := line.recv(1_000_000):
            taken += len(received)
    except ConnectionResetError:
        pass
    return taken


SLOW = {
    "heads": b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    "bodies": b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n{",
    "bodies in chunks": b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    "readers of files": b"GET /static/large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}


@pytest.mark.services
class TestSlowSockets:
    @pytest.mark.parametrize("what", SLOW)
    def test_hold_nobody_up_and_are_ended(self, port: int, what: str) -> None:
        slow = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) for _ in range(32)]
        try:
            for line in slow:
                line.sendall(SLOW[what])
            # Enough for everything that is there to be taken up.
            assert [get(port, "/api/session") for _ in range(40)] == [200] * 40
            # The server's own clock: when the last of these is ended, who took nothing was, too.
            for _ in range(3):
                with socket.create_connection(("127.0.0.1", port)) as line:
                    line.sendall(SLOW["bodies"])
                    take_all(line)
            assert all(take_all(line) < LARGE_BYTES for line in slow)
        finally:
            for line in slow:
                line.close()


def children_of(pid: int) -> set[int]:
    """Return the processes that a process of ours has started."""
    return {
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    }


@pytest.mark.services
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not say whose a process is")
class TestSeveralProcesses:
    def test_serve_together(self, tmp_path: Path) -> None:
        with serving(tmp_path, workers=2) as (port, process):
            wait_until(lambda: len(children_of(process.pid)) >= 2, what="both processes")
            assert [get(port, "/api/session") for _ in range(40)] == [200] * 40
