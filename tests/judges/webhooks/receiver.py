"""A receiver of webhooks on 127.0.0.1 that replies as it is told, and verifies what it got."""

import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from tests.hostile import Listening


class Message(NamedTuple):
    """One request as the receiver saw it."""

    path: str
    headers: dict[str, str]
    body: str


class Receiver(Listening):
    """Replies with a status to whatever comes; `hang` replies nothing until the context ends."""

    def __init__(self, status: int = 204, *, hang: bool = False, size: int = 0, encoding: str = "") -> None:
        self.status = status
        self.messages: list[Message] = []
        self.arrived = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.messages.append(Message(self.path, headers, body))
                receiver.arrived.set()
                if hang:
                    receiver.closing.wait()
                    return
                self.send_response(receiver.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(size))
                if encoding:
                    self.send_header("Content-Encoding", encoding)
                self.end_headers()
                self.wfile.write(b"x" * size)

            do_GET = do_POST  # noqa: N815 (its name)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its name)
                """Say nothing."""

        super().__init__(Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/hook/"


def documented_verify() -> Callable[[str, dict[str, str], bytes], bool]:
    """Return the function that the documentation gives to receivers."""
    text = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text()
    (code,) = re.findall(r"```python\n(import base64, hashlib.*?)```", text, re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    verify: Callable[[str, dict[str, str], bytes], bool] = found["verify"]
    return verify


def is_signed(secret: str, headers: dict[str, str], body: str) -> bool:
    """Verify a message as the documentation tells receivers to."""
    return documented_verify()(secret, headers, body.encode())
