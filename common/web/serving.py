"""Serve clients that are slow: a request is in before a thread takes it, and a reply leaves without one.

The web server hands on what comes as it comes, and gives a client all the time there is. So requests are
read here first, within limits of size and time, one of a few threads then asks Django, and the reply is
sent as fast as the client takes it: whoever is slow holds a socket and nothing else.
"""

import asyncio
import io
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

from django.core.handlers.wsgi import get_path_info
from django.db import close_old_connections

from common.requests.naming import HEADER, name_request, named
from common.web.door import largest_body, takes_files, too_large_body
from common.web.http import error_body

# Who sends more slowly than this for long is ended.
SLOWEST_BYTES_PER_SECOND = 4_000
PIECE_BYTES = 65_536
# Of a body so much is kept in memory, the rest in a file.
MEMORY_BYTES = 262_144

Environ = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Reply(NamedTuple):
    """A reply: its head, and its body in full or in a file that is read while it is sent."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | FileWrapper


class RefusedError(Exception):
    """A request that is not read to its end, with what is said to it."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        # What is still to come is not waited for.
        self.reply = reply._replace(headers=[*reply.headers, (b"connection", b"close")])


class PatientServer:
    """An ASGI application around a WSGI application, whose threads never wait for a client.

    patience_seconds: how long a client may send nothing, or not take a piece of the reply.
    count: called with method and status, once for each request that is answered.
    """

    def __init__(
        self,
        application: Callable[..., Iterable[bytes]],
        *,
        threads: int,
        patience_seconds: float,
        count: Callable[[str, int], None] | None = None,
    ) -> None:
        """Make the threads; what comes when all are busy waits for its turn."""
        self.application = application
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self.patience_seconds = patience_seconds
        self.count = count

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = environ_of(scope)
        request_id = name_request(environ)
        try:
            reply = await self._answer(environ, receive)
        except RefusedError as refused:
            reply = _tell_id(refused.reply, request_id)
        if self.count is not None:
            self.count(scope["method"], reply.status)
        try:
            await self._send(reply, send)
        except TimeoutError:
            # Less went out than was announced, so the web server ends the connection.
            return
        finally:
            if isinstance(reply.body, FileWrapper):
                await asyncio.to_thread(reply.body.close)

    async def _answer(self, environ: Environ, receive: Receive) -> Reply:
        path = get_path_info(environ)
        limit = largest_body(path)
        _require_size(int(environ["CONTENT_LENGTH"] or 0), limit=limit)
        if environ["REQUEST_METHOD"] == "POST" and takes_files(path):
            await self._require_access(environ)
        with await self._read(receive, limit=limit) as body:
            size = body.tell()
            body.seek(0)
            return await self._ask(environ | {"wsgi.input": body, "CONTENT_LENGTH": str(size)})

    async def _require_access(self, environ: Environ) -> None:
        """Ask for the address as a reader first: whoever may not even read there sends no files."""
        nothing = {"REQUEST_METHOD": "GET", "CONTENT_LENGTH": "", "wsgi.input": io.BytesIO()}
        reply = await self._ask(environ | nothing)
        if reply.status != 200:
            raise RefusedError(reply)

    async def _read(self, receive: Receive, *, limit: int) -> IO[bytes]:
        """Return the body, counted while it comes; raises `RefusedError`."""
        body = tempfile.SpooledTemporaryFile(max_size=MEMORY_BYTES)  # noqa: SIM115 (closed by the caller)
        try:
            await self._read_into(body, receive, limit=limit)
        except BaseException:
            body.close()
            raise
        return body

    async def _read_into(self, body: IO[bytes], receive: Receive, *, limit: int) -> None:
        began, has_more = time.monotonic(), True
        while has_more:
            ends = began + self.patience_seconds + body.tell() / SLOWEST_BYTES_PER_SECOND
            try:
                message = await asyncio.wait_for(receive(), ends - time.monotonic())
            except TimeoutError:
                words = "The request arrived too slowly. Send it again over a faster connection."
                raise _refused(408, code="too_slow", message=words) from None
            if message["type"] == "http.disconnect":
                raise _refused(400, code="cut_off", message="The request was cut off. Send it again.")
            body.write(message.get("body", b""))
            _require_size(body.tell(), limit=limit)
            has_more = message.get("more_body", False)

    async def _ask(self, environ: Environ) -> Reply:
        return await asyncio.get_running_loop().run_in_executor(self.threads, self._call, environ)

    def _call(self, environ: Environ) -> Reply:
        head: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
            named = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            head[:] = [int(status[:3]), named]

        # Django logs a reply of 500 once its middleware is through.
        with named(name_request(environ)):
            content = self.application(environ, start_response)
        status, headers = head
        if isinstance(content, FileWrapper):
            # It ends in another thread, which cannot close what this one has open.
            close_old_connections()
            return Reply(status, headers, content)
        try:
            return Reply(status, headers, b"".join(content))
        finally:
            getattr(content, "close", bool)()

    async def _send(self, reply: Reply, send: Send) -> None:
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        async for piece in _pieces(reply.body):
            message = {"type": "http.response.body", "body": piece, "more_body": True}
            await asyncio.wait_for(send(message), self.patience_seconds)
        await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), self.patience_seconds)


async def _pieces(body: bytes | FileWrapper) -> AsyncIterator[bytes]:
    if isinstance(body, FileWrapper):
        while piece := await asyncio.to_thread(next, body, b""):
            yield piece
        return
    for start in range(0, len(body), PIECE_BYTES):
        yield body[start : start + PIECE_BYTES]


def _require_size(size: int, *, limit: int) -> None:
    if size > limit:
        raise RefusedError(_reply(413, too_large_body(size=size, limit=limit)))


def _refused(status: int, *, code: str, message: str) -> RefusedError:
    return RefusedError(_reply(status, error_body(kind="invalid", code=code, message=message)))


def _tell_id(reply: Reply, request_id: str) -> Reply:
    name = HEADER.lower().encode()
    if any(name == known for known, _ in reply.headers):
        return reply
    return reply._replace(headers=[*reply.headers, (name, request_id.encode())])


def _reply(status: int, said: dict[str, Any]) -> Reply:
    body = json.dumps(said).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    return Reply(status, headers, body)


def environ_of(scope: dict[str, Any]) -> Environ:
    """Return the head of a request as WSGI names it."""
    host, port = scope.get("server") or ("localhost", "80")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "CONTENT_TYPE": "",
        "CONTENT_LENGTH": "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": lambda file, _size: FileWrapper(file, PIECE_BYTES),
    }
    for name, value in scope["headers"]:
        _add_header(environ, name.decode("latin-1"), value.decode("latin-1"))
    return environ


def _add_header(environ: Environ, name: str, value: str) -> None:
    # WSGI has one name for X-Forwarded-Proto and X_Forwarded_Proto, and proxies mind only the first.
    if "_" in name:
        return
    key = name.upper().replace("-", "_")
    if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
        key = f"HTTP_{key}"
    between = "; " if key == "HTTP_COOKIE" else ","
    environ[key] = f"{environ[key]}{between}{value}" if environ.get(key) else value
