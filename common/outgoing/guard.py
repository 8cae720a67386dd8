"""The one way out of this server: one origin, checked addresses, a deadline, a limit on the reply.

Loaded when something is first sent.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any

import httpcore2
import httpx2

from common.outgoing.addresses import AddressPolicy, Destination
from common.outgoing.keys import BEARER, KeyHeader

# At their lower levels these would write texts and addresses into the log.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

logger = logging.getLogger(__name__)
MAX_REPLY_BYTES = 4_000_000
# Everything else a library would send comes from the operator's environment or tells of the machine.
SENT_HEADERS = ("host", "content-type", "content-length", "connection", "transfer-encoding")

Resolve = Callable[[str, int], list[str]]


class CallRefused(Exception):
    """The call would leave the address or the network that was allowed."""


class ReplyTooLarge(Exception):
    """The server sent more than any reply needs."""


def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of a host, each once, in the system's order; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class _Budget(threading.local):
    """What the call of this thread may still use; a pooled connection serves one call at a time."""

    deadline = 0.0
    bytes_left = 0

    def start(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.bytes_left = MAX_REPLY_BYTES

    def seconds_left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the call timed out")
        return left

    def take(self, received: bytes) -> bytes:
        self.bytes_left -= len(received)
        if self.bytes_left < 0:
            raise ReplyTooLarge
        return received


class _Lines:
    """The sockets in use: one thread can cut them all while others wait for what comes over them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._is_cut = False

    def add(self, stream: httpcore2.NetworkStream) -> socket.socket:
        """Note a new line; raises where all were cut, before anything is sent over it."""
        with self._lock:
            if self._is_cut:
                stream.close()
                raise httpcore2.ConnectError("the call was canceled")
            # A second handle on the same line: the first one goes over to TLS during the handshake.
            line: socket.socket = stream.get_extra_info("socket").dup()
            self._sockets.add(line)
            return line

    def drop(self, line: socket.socket) -> None:
        """Forget a line that is closed."""
        with self._lock:
            self._sockets.discard(line)
            line.close()

    def cut(self) -> None:
        """End all lines, now and later: whoever waits on one is told at once that it is over."""
        with self._lock:
            self._is_cut = True
            for line in self._sockets:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)


# As many names at once as a process looks up, each in a thread that may hang; one more name is refused.
MOST_LOOKED_UP = 32
# So long whoever asks for a name waits for a look-up that goes on already; then it counts as hanging.
SHARED_SECONDS = 30.0


class TooManyHang(Exception):
    """As many names are being looked up as may be: the system's resolver seems to hang."""


class LookUps:
    """Look-ups of names in threads of their own, of which there are so many and no more.

    The system's resolver takes no deadline: a name that comes too late is left to its thread. Whoever asks
    for the same name waits for the same thread, so that one name that hangs takes no other's place.
    """

    def __init__(self, *, most: int = MOST_LOOKED_UP, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._threads = 0
        self._going_on: dict[Any, tuple[Future[list[str]], float]] = {}

    def within(self, seconds: float, resolve: Resolve, host: str, port: int) -> list[str]:
        """Return the addresses, or raise what `resolve` does.

        Raises `TimeoutError` once the seconds have passed, and `TooManyHang` at once.
        """
        found = self._find(resolve, host, port)
        if not wait([found], timeout=seconds).done:
            raise TimeoutError
        return found.result()

    def _find(self, resolve: Resolve, host: str, port: int) -> "Future[list[str]]":
        asked = (resolve, host, port)
        with self._lock:
            going_on = self._going_on.get(asked)
            if going_on is not None and self._clock() - going_on[1] < SHARED_SECONDS:
                return going_on[0]
            if self._threads >= self._most:
                raise TooManyHang
            found: Future[list[str]] = Future()
            self._threads += 1
            self._going_on[asked] = (found, self._clock())
        threading.Thread(target=self._work, args=(found, asked), name="look up", daemon=True).start()
        return found

    def _work(self, found: "Future[list[str]]", asked: tuple[Resolve, str, int]) -> None:
        resolve, host, port = asked
        try:
            addresses: list[str] | BaseException = resolve(host, port)
        except BaseException as error:
            addresses = error
        # Before it is told: whoever asks from then on looks up anew.
        with self._lock:
            self._threads -= 1
            if self._going_on.get(asked, (None,))[0] is found:
                del self._going_on[asked]
        if isinstance(addresses, BaseException):
            found.set_exception(addresses)
        else:
            found.set_result(addresses)


LOOK_UPS = LookUps()


class _GuardedStream(httpcore2.NetworkStream):
    """A connection on which nothing lasts beyond the call's deadline, however slowly it drips."""

    def __init__(
        self, stream: httpcore2.NetworkStream, budget: _Budget, lines: _Lines, line: socket.socket
    ) -> None:
        self._stream = stream
        self._budget = budget
        self._lines = lines
        self._line = line

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._budget.take(self._stream.read(max_bytes, self._budget.seconds_left()))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._budget.seconds_left())

    def close(self) -> None:
        self._stream.close()
        self._lines.drop(self._line)

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        try:
            secured = self._stream.start_tls(ssl_context, server_hostname, self._budget.seconds_left())
        except BaseException:
            self._lines.drop(self._line)
            raise
        return _GuardedStream(secured, self._budget, self._lines, self._line)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _GuardedBackend(httpcore2.NetworkBackend):
    """Connects to addresses, never to names: what was checked is what is called (no rebinding)."""

    def __init__(self, policy: AddressPolicy, resolve: Resolve, budget: _Budget, lines: _Lines) -> None:
        self._policy = policy
        self._resolve = resolve
        self._budget = budget
        self._lines = lines
        self._network = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        failed: Exception = httpcore2.ConnectError("the name has no address")
        for address in self._checked_addresses(host, port):
            try:
                stream = self._network.connect_tcp(address, port, self._budget.seconds_left())
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
            else:
                return _GuardedStream(stream, self._budget, self._lines, self._lines.add(stream))
        raise failed

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        raise CallRefused("local sockets cannot be called")

    def _checked_addresses(self, host: str, port: int) -> list[str]:
        try:
            addresses = LOOK_UPS.within(self._budget.seconds_left(), self._resolve, host, port)
        except TooManyHang as hanging:
            logger.warning("host names cannot be resolved: %s lookups are not responding", MOST_LOOKED_UP)
            raise httpcore2.ConnectTimeout("too many names are being looked up") from hanging
        except TimeoutError as late:
            raise httpcore2.ConnectTimeout("the host name could not be resolved in time") from late
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"unknown host: {host}") from error
        # One forbidden address among allowed ones is what rebinding looks like.
        if not all(self._policy.allows(host=host, port=port, address=address) for address in addresses):
            raise CallRefused(
                f"The administrator of this server does not allow calls to the address of {host}."
            )
        return addresses


class GuardedTransport(httpx2.HTTPTransport):
    """Carries calls to one origin and nowhere else."""

    def __init__(
        self,
        *,
        destination: Destination,
        policy: AddressPolicy,
        timeout_seconds: float,
        key: str,
        key_header: KeyHeader = BEARER,
        resolve: Resolve = resolve_host,
        headers: Collection[str] = (),
        reads_replies: bool = True,
    ) -> None:
        """Make the way to one origin.

        key_header: what carries the key. headers: those that a call may bring besides the usual ones.
        reads_replies: False where only the head of a reply is looked at, which may then be compressed.
        """
        trusted = httpx2.create_ssl_context(trust_env=False)
        super().__init__(verify=trusted, trust_env=False)
        self._destination = destination
        self._timeout_seconds = timeout_seconds
        self._key = [(key_header.name, f"{key_header.before}{key}")] if key else []
        self._sent_headers = {*SENT_HEADERS, *headers}
        self._reads_replies = reads_replies
        self._budget = _Budget()
        self._lines = _Lines()
        self._pool.close()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=trusted,
            network_backend=_GuardedBackend(policy, resolve, self._budget, self._lines),
            max_connections=64,
            max_keepalive_connections=16,
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it if it goes where calls may go; raises `CallRefused` otherwise."""
        self._require_destination(request.url)
        self._budget.start(self._timeout_seconds)
        response = super().handle_request(self._own_request(request))
        # Unpacked, a small reply could fill the memory.
        is_packed = response.headers.get("Content-Encoding", "identity").lower() != "identity"
        if is_packed and self._reads_replies:
            response.close()
            raise ReplyTooLarge
        return response

    def cut(self) -> None:
        """Break off every call in flight; whoever makes one is told that the server broke off."""
        self._lines.cut()

    def _own_request(self, given: httpx2.Request) -> httpx2.Request:
        kept = [(name, value) for name, value in given.headers.items() if name.lower() in self._sent_headers]
        own = [("Accept", "application/json"), ("Accept-Encoding", "identity"), ("User-Agent", "Assay")]
        return httpx2.Request(
            given.method,
            given.url,
            headers=[*kept, *own, *self._key],
            stream=given.stream,
            extensions=given.extensions,
        )

    def _require_destination(self, url: httpx2.URL) -> None:
        wanted = self._destination
        port = url.port or {"http": 80, "https": 443}.get(url.scheme)
        # As it is sent: `url.host` would show "xn--bcher-kva.example" as people read it.
        host = url.raw_host.decode("ascii")
        if (url.scheme, host, port) != (wanted.scheme, wanted.host, wanted.port):
            raise CallRefused("The call would go to an address other than the connection’s.")
