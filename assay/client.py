"""A client of an installation: projects, imports, runs of judges, boards and exports over HTTP."""

import hashlib
import json
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin
from urllib.parse import quote, urlsplit

import httpx2

from assay.errors import (
    BY_STATUS,
    Conflict,
    ConnectionLost,
    NotAssay,
    Refused,
    ServerFailed,
    TookTooLong,
    WorkFailed,
)
from assay.records.lists import (
    Activity,
    AmendedAnswer,
    Answer,
    GoldChange,
    GoldProposal,
    GoldQuestion,
    JudgedSheet,
    QuestionOfTwo,
    RightByQuestion,
    RunVerdict,
    SettledAnswer,
)
from assay.records.replies import Agreement, Export, Import, Leaderboard, ProjectInfo, Run

Reply = TypeVar("Reply")

# Seconds before a request is tried again after a lost connection, or while the server is away.
PAUSES = (0.2, 1.0, 3.0)
AWAY = frozenset({502, 503, 504})
# A request that was sent again, and whose first one still runs, is asked for so often.
RUNNING_PAUSES = (*PAUSES, *[5.0] * 12)
RUNNING = "idempotency_key_running"
KEY_HEADER = "Idempotency-Key"
FIRST_LOOK_SECONDS = 0.2
LAST_LOOK_SECONDS = 5.0
WAIT_SECONDS = 3_600.0
# As many as a page of a long list may have.
ROWS_A_PAGE = 1_000
HERE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class _Named:
    slug: str


@dataclass(frozen=True)
class _Begun:
    id: str


@dataclass(frozen=True)
class _Place:
    next: str | None


class Client:
    """An installation, as the person who created the token; as a context it closes its connections.

    What is asked is tried again where the connection is lost or the server is away. A write brings an
    idempotency key, by which the server carries it out once.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout_seconds: float = 60.0,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the installation's address, as `https://assay.example.org`, and an API token.

        Raises `ValueError` for what cannot be one of the two.
        """
        if not _is_address(url):
            # What stands before an "@" may be a password.
            told = url.rpartition("@")[2]
            raise ValueError(f"“{told}” is not a web address. Enter one such as https://assay.example.org.")
        if not (token.isascii() and token.isprintable()):
            raise ValueError("An API token contains only printable ASCII characters. Copy the token again.")
        self._sleep = sleep
        self._http = httpx2.Client(
            base_url=url.rstrip("/") + "/api/",
            headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
            timeout=timeout_seconds,
            # Followed, it would take the token along.
            follow_redirects=False,
            transport=transport,
        )

    @property
    def is_readable_by_others(self) -> bool:
        """Whether the token leaves this machine without encryption."""
        return self._http.base_url.scheme == "http" and self._http.base_url.host not in HERE

    def __enter__(self) -> "Client":
        """Return the client."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, **query: str | int | bool) -> Any:
        """Read an address below `/api/`, such as `projects/nq301/results`, as JSON.

        Raises `ValueError` for any other address, which must not get the token.
        """
        return self._carry_out("GET", path, params=query)

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, idempotency_key: str = "") -> Any:
        """Write to an address below `/api/`, as `get`; returns the reply's JSON, None where there is none.

        idempotency_key: the same request with the same one is carried out once within 24 hours, also by
        another program; without one, each call has its own.
        """
        return self._carry_out("POST", path, json=dict(body or {}), idempotency_key=idempotency_key)

    def pages(self, path: str, **query: str | int | bool) -> Iterator[dict[str, Any]]:
        """Yield each page of a long list below `/api/`, as `get` does; `limit` is how many rows each has.

        A page is asked for once the one before it is used up. Give the same query for the whole list, and no
        `cursor`, unless to go on from a page that you had.
        """
        asked, seen = dict(query), set[str]()
        while True:
            page = self.get(path, **asked)
            cursor = self._understood(_Place, page, path).next
            yield page
            if cursor is None:
                return
            if cursor in seen:
                raise NotAssay(NOT_ASSAYS.format(url=f"{self._http.base_url}{path}"))
            seen.add(cursor)
            asked["cursor"] = cursor

    def projects(self) -> list[ProjectInfo]:
        """Return your projects; with a token for one, that one."""
        return self._ask(list[ProjectInfo], "GET", "projects")

    def project(self, slug: str) -> "Project":
        """Return a project; raises `NotFound`."""
        return Project(self, self._ask(_Named, "GET", f"projects/{quote(slug, safe='')}").slug)

    def create_project(
        self, name: str, *, protocol: str = "openqa-eval", slug: str = "", description: str = ""
    ) -> "Project":
        """Create a project under a protocol's key: openqa-eval, efficientqa or evouna."""
        body = {"name": name, "preset": protocol, "slug": slug, "description": description}
        return Project(self, self._ask(_Named, "POST", "projects", json=body).slug)

    def _carry_out(self, method: str, path: str, **given: Any) -> Any:
        reply = self._send(method, path, **given)
        return _json_of(reply) if reply.content else None

    def _ask(self, kind: type[Reply], method: str, path: str, **given: Any) -> Reply:
        """Return a reply as records; raises `NotAssay` where it holds something else."""
        reply = self._send(method, path, **given)
        return self._understood(kind, _json_of(reply), str(reply.url))

    def _rows(
        self, kind: type[Reply], path: str, name: str, query: Mapping[str, str | int | bool]
    ) -> Iterator[Reply]:
        """Yield the rows of a long list, which stand under this name in each page."""
        for page in self.pages(path, **{"limit": ROWS_A_PAGE, **query}):
            yield from self._understood(list[kind], page.get(name), path)  # type: ignore[valid-type]

    def _understood(self, kind: type[Reply], sent: Any, address: str) -> Reply:
        """Return what was sent as records; raises `NotAssay` where it is something else."""
        try:
            found: Reply = _read(kind, sent)
        except (_OtherKind, RecursionError, UnicodeEncodeError):
            url = address if "://" in address else f"{self._http.base_url}{address}"
            raise NotAssay(NOT_ASSAYS.format(url=url)) from None
        return found

    def _send(self, method: str, path: str, *, idempotency_key: str = "", **given: Any) -> httpx2.Response:
        if method == "POST":
            given["headers"] = {KEY_HEADER: idempotency_key or str(uuid.uuid4())}
        pauses, running = iter(PAUSES), iter(RUNNING_PAUSES)
        while True:
            try:
                reply = self._exchange(method, path, **given)
                pause = next(pauses, None) if reply.status_code in AWAY else None
                if pause is None:
                    return _accepted(reply)
            except httpx2.TransportError as error:
                pause = next(pauses, None)
                if pause is None:
                    raise ConnectionLost(f"{self._http.base_url}: {error or type(error).__name__}") from error
            except Conflict as conflict:
                pause = next(running, None) if conflict.code == RUNNING else None
                if pause is None:
                    raise
            self._sleep(pause)

    def _exchange(self, method: str, path: str, **given: Any) -> httpx2.Response:
        try:
            return self._http.send(self._request(method, path, **given))
        except httpx2.DecodingError:
            raise NotAssay(NOT_ASSAYS.format(url=f"{self._http.base_url}{path}")) from None

    def _request(self, method: str, path: str, **given: Any) -> httpx2.Request:
        base = self._http.base_url
        try:
            request = self._http.build_request(method, path, **given)
        except httpx2.InvalidURL:
            raise ValueError(OUTSIDE.format(path=path, base=base)) from None
        asked = request.url
        is_ours = (asked.scheme, asked.host, asked.port) == (base.scheme, base.host, base.port)
        # Another host would get the token, and what is above `/api/` is no API.
        if path.startswith("//") or not is_ours or not asked.raw_path.startswith(base.raw_path):
            raise ValueError(OUTSIDE.format(path=path, base=base))
        return request

    def _upload(self, path: str, files: Iterable[Path], form: Mapping[str, str]) -> str:
        with ExitStack() as stack:
            opened = [
                ("files", (file.name, stack.enter_context(file.open("rb")), "application/octet-stream"))
                for file in files
            ]
            return self._ask(_Begun, "POST", path, files=opened, data=dict(form)).id

    def _download(self, path: str, to: Path, *, sha256: str) -> None:
        """Write what an address sends to a file, whole or not at all."""
        content = self._send("GET", path).content
        if hashlib.sha256(content).hexdigest() != sha256:
            raise ConnectionLost(f"{to}: The downloaded file differs from the export. Try again.")
        descriptor, part = tempfile.mkstemp(dir=to.parent, prefix=f".{to.name}-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(part, to)
        except BaseException:
            os.unlink(part)
            raise

    def _wait(
        self, look: Callable[[], Reply], is_over: Callable[[Reply], bool], *, what: str, seconds: float
    ) -> Reply:
        began, pause = time.monotonic(), FIRST_LOOK_SECONDS
        while not is_over(found := look()):
            if time.monotonic() - began > seconds:
                raise TookTooLong(f"{what} did not finish within {seconds:g} s. It continues on the server.")
            self._sleep(pause)
            pause = min(1.5 * pause, LAST_LOOK_SECONDS)
        return found


class Project:
    """A project of an installation."""

    def __init__(self, client: Client, slug: str) -> None:
        self.client = client
        self.slug = slug
        self._path = f"projects/{quote(slug, safe='')}"

    def import_files(
        self,
        *files: str | os.PathLike[str],
        format: str = "",  # noqa: A002 - the word that pages and commands use
        options: Mapping[str, Any] | None = None,
        wait_seconds: float = WAIT_SECONDS,
    ) -> Import:
        """Upload files, have them checked, confirm and wait until they are in the project.

        Without a format it is recognized. Raises `WorkFailed` with the first problems, and then nothing of
        the files enters the project.
        """
        form = {"format": format, "options": json.dumps(dict(options or {}))}
        checked = self._upload(map(Path, files), form, wait_seconds)
        if checked.state != "ready":
            raise WorkFailed(_words_of(checked))
        self.client.post(f"{self._path}/imports/{quote(checked.id, safe='')}/confirm")
        applied = self._wait_for_import(checked.id, {"applying", "ready"}, wait_seconds)
        if applied.state != "applied":
            raise WorkFailed(_words_of(applied))
        return applied

    def _upload(self, files: Iterable[Path], form: Mapping[str, str], wait_seconds: float) -> Import:
        begun = self.client._upload(f"{self._path}/imports", files, form)
        return self._wait_for_import(begun, {"checking"}, wait_seconds)

    def _wait_for_import(self, import_id: str, open_states: set[str], seconds: float) -> Import:
        path = f"{self._path}/imports/{quote(import_id, safe='')}"
        return self.client._wait(
            lambda: self.client._ask(Import, "GET", path),
            lambda found: found.state not in open_states,
            what="The import",
            seconds=seconds,
        )

    def run_judge(
        self,
        judge: str,
        *,
        options: Mapping[str, Any] | None = None,
        connection: str = "",
        sample_size: int | None = None,
        spend_cap: str | None = None,
        follows: bool | None = None,
    ) -> Run:
        """Start a judge, or return the run of equal signature; `wait` waits for it.

        spend_cap: the most that calls over a connection may cost, as "2.50". follows: whether it judges new
        answers as they arrive, which needs a `spend_cap` where calls cost money.
        """
        body = {
            "judge": judge,
            "options": dict(options or {}),
            "connection": connection,
            "sample_size": sample_size,
            "spend_cap": spend_cap,
            # Left out, so that a server of an earlier version takes it.
            **({} if follows is None else {"follows": follows}),
        }
        return self.client._ask(Run, "POST", f"{self._path}/runs", json=body)

    def runs(self) -> list[Run]:
        """Return all runs, also those that began by themselves."""
        return self.client._ask(list[Run], "GET", f"{self._path}/runs")

    def run(self, run_id: str) -> Run:
        """Return a run as far as it is now."""
        return self.client._ask(Run, "GET", f"{self._path}/runs/{quote(run_id, safe='')}")

    def wait(self, run: Run, *, seconds: float = WAIT_SECONDS) -> Run:
        """Wait until a run is finished; raises `WorkFailed` where it failed, was paused or canceled."""
        over = self.client._wait(
            lambda: self.run(run.id),
            lambda found: found.state not in {"queued", "running"},
            what=f"The run of {run.name}",
            seconds=seconds,
        )
        if over.state not in {"finished", "sampled"}:
            raise WorkFailed(f"The run of {over.name} did not finish ({over.state}). {over.message}".strip())
        return over

    def answers(self, **query: str | int | bool) -> Iterator[Answer]:
        """Yield all answers, or those that `query` asks for, such as `state="decided"`."""
        return self._rows(Answer, "answers", "answers", query)

    def verdicts(self, run: Run, **query: str | int | bool) -> Iterator[RunVerdict]:
        """Yield the verdicts of a run; `query` is that of the address, such as `verdict="rejected"`."""
        return self._rows(RunVerdict, f"runs/{quote(run.id, safe='')}/verdicts", "verdicts", query)

    def judged(self, **query: str | int | bool) -> Iterator[JudgedSheet]:
        """Yield the sheets that you have judged, the newest first."""
        return self._rows(JudgedSheet, "judged", "sheets", query)

    def activity(self, **query: str | int | bool) -> Iterator[Activity]:
        """Yield what leads and adjudicators did, the newest first."""
        return self._rows(Activity, "activity", "entries", query)

    def gold_questions(self, **query: str | int | bool) -> Iterator[GoldQuestion]:
        """Yield questions with their gold lists; `query` is that of the address, such as `dataset="NQ"`."""
        return self._rows(GoldQuestion, "gold/questions", "questions", query)

    def gold_changes(self, **query: str | int | bool) -> Iterator[GoldChange]:
        """Yield the changes of gold lists, the newest first."""
        return self._rows(GoldChange, "gold", "changes", query)

    def gold_proposals(self, **query: str | int | bool) -> Iterator[GoldProposal]:
        """Yield what gold lists may lack; `query` is that of the address, such as `part="safe"`."""
        return self._rows(GoldProposal, "gold/proposals", "proposals", query)

    def amended_answers(self, **query: str | int | bool) -> Iterator[AmendedAnswer]:
        """Yield the answers that changes of gold lists made correct or incorrect."""
        return self._rows(AmendedAnswer, "leaderboard/amendments", "turned", query)

    def settled_answers(self, **query: str | int | bool) -> Iterator[SettledAnswer]:
        """Yield the answers that pre-judging rules settled or sent to people for the audit."""
        return self._rows(SettledAnswer, "prejudging/answers", "answers", query)

    def questions_right_by(self, right_by: int, **query: str | int | bool) -> Iterator[RightByQuestion]:
        """Yield the questions that so many systems answered correctly."""
        asked = {"right_by": right_by, **query}
        return self._rows(RightByQuestion, "systems-board/questions", "questions", asked)

    def questions_of_two(self, first: str, second: str, **query: str | int | bool) -> Iterator[QuestionOfTwo]:
        """Yield questions with the answers of two systems; `query` is that of the address."""
        asked = {"first": first, "second": second, **query}
        return self._rows(QuestionOfTwo, "systems-board/two", "questions", asked)

    def _rows(
        self, kind: type[Reply], path: str, name: str, query: Mapping[str, str | int | bool]
    ) -> Iterator[Reply]:
        return self.client._rows(kind, f"{self._path}/{path}", name, query)

    def leaderboard(self, **query: str | int | bool) -> Leaderboard:
        """Return systems by ways of judging; `query` is that of the address, such as `dataset="NQ"`."""
        return self.client._ask(Leaderboard, "GET", f"{self._path}/leaderboard", params=query)

    def agreement(self, **query: str | int | bool) -> Agreement:
        """Return how far raters agree; `query` is that of the address, such as `missing_votes="drop"`."""
        return self.client._ask(Agreement, "GET", f"{self._path}/agreement", params=query)

    def export(
        self,
        format: str,  # noqa: A002 - the word that pages and commands use
        to: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        wait_seconds: float = WAIT_SECONDS,
    ) -> Export:
        """Have an export made and write it to a file, or into a folder under its own name.

        Raises `FileExistsError` for a file that is there already, without `overwrite`.
        """
        place = Path(to)
        if not place.is_dir():
            _require_free(place, overwrite=overwrite)
        begun = self.client._ask(_Begun, "POST", f"{self._path}/exports", json={"format": format})
        path = f"exports/{quote(begun.id, safe='')}"
        done = self.client._wait(
            lambda: self.client._ask(Export, "GET", path),
            lambda found: found.state not in {"queued", "running"},
            what="The export",
            seconds=wait_seconds,
        )
        if done.state != "finished":
            raise WorkFailed(done.message or "The export failed.")
        if place.is_dir():
            place /= _file_name(done.file_name)
            _require_free(place, overwrite=overwrite)
        self.client._download(f"{path}/download", place, sha256=done.sha256)
        return done


def _require_free(place: Path, *, overwrite: bool) -> None:
    if os.path.lexists(place) and not overwrite:
        raise FileExistsError(
            f"{place} already exists. To overwrite it, use --force (in Python: overwrite=True)."
        )


def _file_name(sent: str) -> str:
    """Return the name that a server gives a file; raises `NotAssay` for one that leads elsewhere or hides."""
    if not sent or sent.startswith(".") or not sent.isprintable() or set(sent) & set("/\\"):
        raise NotAssay(
            f"The server named the file {sent!r}, which is not a safe name. Choose another with --to."
        )
    return sent


def _is_address(url: str) -> bool:
    try:
        # Each takes some that the other refuses.
        found = httpx2.URL(url)
        # With a user name in it, it would sign in with that instead of the token.
        is_signed = bool(found.userinfo or "@" in urlsplit(url).netloc)
        return found.scheme in {"http", "https"} and bool(urlsplit(url).hostname) and not is_signed
    except (httpx2.InvalidURL, ValueError):
        return False


def _words_of(found: Import) -> str:
    said = [found.message, *(str(each) for each in found.problems if each.severity == "error")]
    return "\n".join(filter(None, said)) or f"The import did not succeed ({found.state})."


NOT_ASSAYS = "The reply from {url} is not from Assay. Check the address."
OUTSIDE = "{path!r} must be a path below {base}."


def _accepted(reply: httpx2.Response) -> httpx2.Response:
    """Return a reply that is no refusal; raises `Refused` or `NotAssay`."""
    if reply.is_success:
        return reply
    try:
        refusal = _read(_Refusal, reply.json()["error"])
    except (ValueError, KeyError, TypeError, RecursionError, _OtherKind):
        raise NotAssay(
            f"{NOT_ASSAYS.format(url=reply.url)} The reply’s status is {reply.status_code}."
        ) from None
    kind = BY_STATUS.get(reply.status_code, ServerFailed if reply.is_server_error else Refused)
    raise kind(status=reply.status_code, code=refusal.code, message=refusal.message, details=refusal.details)


@dataclass(frozen=True)
class _Refusal:
    code: str
    message: str
    details: dict[str, Any]


def _json_of(reply: httpx2.Response) -> Any:
    try:
        return reply.json()
    except (ValueError, RecursionError):
        raise NotAssay(NOT_ASSAYS.format(url=reply.url)) from None


class _OtherKind(Exception):
    """What a server sent is not of the kind that it should be."""


def _read(kind: Any, sent: Any) -> Any:
    """Return what was sent as a field of this kind; fields that later versions add are left out."""
    inside = get_args(kind)
    if is_dataclass(kind):
        return _read_record(kind, sent)
    if get_origin(kind) is UnionType:
        return None if sent is None else _read(inside[0], sent)
    if get_origin(kind) is list and isinstance(sent, list):
        return [_read(inside[0], each) for each in sent]
    if get_origin(kind) is dict and isinstance(sent, dict):
        return {key: _read(inside[1], each) for key, each in sent.items()}
    if kind is Any or type(sent) in {kind, *({int} if kind is float else ())}:
        if kind is str:
            # Half a character can be no part of an address, and is printed nowhere.
            sent.encode()
        return sent
    raise _OtherKind


def _read_record(kind: Any, sent: Any) -> Any:
    try:
        return kind(**{field.name: _read(field.type, sent[field.name]) for field in fields(kind)})
    except (KeyError, TypeError):
        raise _OtherKind from None
