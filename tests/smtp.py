"""A mail server that does what a script says, for tests: on this machine, and gone with the test."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

HANG_UP = "hang up"
GREETING = {
    "greeting": "220 mail.test ready",
    "EHLO": "250-mail.test\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME",
    "HELO": "250 mail.test",
    "AUTH": "235 welcome",
    "MAIL": "250 ok",
    "RCPT": "250 ok",
    "DATA": "354 go on",
    "message": "250 queued",
    "RSET": "250 ok",
    "QUIT": "221 bye",
}


class MailServer:
    """Takes messages one client at a time, and replies to each command as its script says.

    script: by command, "greeting" or "message" (what follows the message), the reply, or `HANG_UP`.
    """

    def __init__(self, script: dict[str, str] | None = None) -> None:
        self.script = {**GREETING, **(script or {})}
        self.commands: list[str] = []
        self.messages: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Take nobody in any more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client, suppress(OSError):
                client.settimeout(10)
                self._talk(client)

    def _talk(self, client: socket.socket) -> None:
        lines = client.makefile("rb")
        if not self._reply(client, "greeting"):
            return
        while line := lines.readline():
            said = line.decode().rstrip("\r\n")
            command = said.partition(" ")[0].upper()
            self.commands.append(said)
            if not self._reply(client, command) or command == "QUIT":
                return
            if command == "DATA" and self.script["DATA"].startswith("354"):
                self.messages.append(_read_message(lines))
                if not self._reply(client, "message"):
                    return

    def _reply(self, client: socket.socket, to: str) -> bool:
        reply = self.script.get(to, "502 unknown")
        if reply == HANG_UP:
            return False
        client.sendall(f"{reply}\r\n".encode())
        return True


def _read_message(lines: Any) -> str:
    read = []
    while (line := lines.readline()) not in (b".\r\n", b""):
        read.append(line.decode().removeprefix(".").rstrip("\r\n"))
    return "\n".join(read)


@contextmanager
def mail_server(settings: Any, script: dict[str, str] | None = None) -> Iterator[MailServer]:
    """Run a mail server, and let the product send by it."""
    server = MailServer(script)
    turn_mail_on(settings)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    try:
        yield server
    finally:
        server.stop()


def turn_mail_on(settings: Any) -> None:
    """Let the product send by Django's outbox of tests."""
    settings.ASSAY_SENDS_MAIL = True
    settings.ASSAY_PUBLIC_URL = "https://assay.test"
    settings.DEFAULT_FROM_EMAIL = "Assay <assay@assay.test>"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.ALLOWED_HOSTS = ["assay.test", "testserver"]
