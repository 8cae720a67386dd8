"""The client: what it asks and how it fails, and the documentation's script on a real installation."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import httpx2
import pytest

from assay import Client, errors
from assay.client import PAUSES, RUNNING_PAUSES
from tests.assay.conftest import Server, check_documented_results, documented_script

ROOT = Path(__file__).resolve().parent.parent.parent
Answer = Callable[[httpx2.Request], httpx2.Response]


def client_of(answer: Answer, pauses: list[float] | None = None) -> Client:
    slept = [] if pauses is None else pauses
    return Client("http://assay.test", "assay_x", transport=httpx2.MockTransport(answer), sleep=slept.append)


def refusal(status: int, **more: Any) -> httpx2.Response:
    error = {"kind": "k", "code": "a_code", "message": "The words.", "details": {}, **more}
    return httpx2.Response(status, json={"error": error})


LISTED = {"slug": "a", "name": "A", "state": "open", "role": "lead", "question_count": 1}


class TestErrors:
    @pytest.mark.parametrize(
        ("status", "kind"),
        [
            (400, errors.Invalid),
            (401, errors.NotSignedIn),
            (403, errors.Forbidden),
            (404, errors.NotFound),
            (409, errors.Conflict),
            (413, errors.Refused),
            (429, errors.Refused),
            (503, errors.ServerFailed),
        ],
    )
    def test_have_a_type_and_the_servers_words(self, status: int, kind: type[errors.Refused]) -> None:
        with pytest.raises(kind, match=r"The words\.") as caught:
            client_of(lambda _: refusal(status)).projects()
        assert type(caught.value) is kind
        assert (caught.value.status, caught.value.code) == (status, "a_code")

    def test_name_the_fields(self) -> None:
        details = {"fields": {"name": ["This field is required."]}}
        with pytest.raises(errors.Invalid, match=r"The words\. name: This field is required\."):
            client_of(lambda _: refusal(400, details=details)).create_project("")

    @pytest.mark.parametrize(
        "reply",
        [
            httpx2.Response(200, text="<html>"),
            httpx2.Response(200, json={"slug": 1}),
            httpx2.Response(200, json=[{"slug": "a"}]),
            httpx2.Response(200, json=[None]),
            httpx2.Response(502, text="bad gateway"),
            httpx2.Response(404, json=["error"]),
            httpx2.Response(302, headers={"Location": "http://elsewhere.test/"}),
            httpx2.Response(200, content=b""),
            httpx2.Response(200, content=b"[" * 100_000),
            httpx2.Response(200, json=[{**LISTED, "question_count": "many"}]),
            httpx2.Response(200, json=[{**LISTED, "question_count": True}]),
            httpx2.Response(200, json=[{**LISTED, "state": []}]),
            httpx2.Response(400, json={"error": {"code": [], "message": 5, "details": 1}}),
        ],
    )
    def test_what_is_not_assay_is_said_so(self, reply: httpx2.Response) -> None:
        said = r"The reply from http://assay\.test/api/projects is not from Assay\."
        with pytest.raises(errors.NotAssay, match=said):
            client_of(lambda _: reply).projects()

    @pytest.mark.parametrize("body", [[], {}, "x", None, {"slug": 5}, {"slug": "\ud800"}])
    def test_nor_is_a_project_without_its_name(self, body: object) -> None:
        with pytest.raises(errors.NotAssay, match="is not from Assay"):
            client_of(lambda _: httpx2.Response(200, content=json.dumps(body))).project("p")

    def test_fields_may_have_one_word_of_error(self) -> None:
        assert (
            str(errors.Invalid(status=400, code="c", message="No.", details={"fields": {"a": 1}}))
            == "No. a: 1"
        )

    def test_a_broken_encoding_is_no_crash(self) -> None:
        def answer(request: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(
                200, headers={"Content-Encoding": "gzip"}, stream=httpx2.ByteStream(b"no gzip")
            )

        with pytest.raises(errors.NotAssay, match="is not from Assay"):
            client_of(answer).projects()

    @pytest.mark.parametrize(
        "path",
        [
            "http://elsewhere.test/steal",
            "//elsewhere.test/steal",
            "https://assay.test/api/projects",
            "http://assay.test:81/api/projects",
            "http://u@elsewhere.test/",
            "http://[",
            "../admin",
            "projects/../../admin",
        ],
    )
    def test_no_other_address_gets_the_token(self, path: str) -> None:
        asked: list[str] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(str(request.url))
            return httpx2.Response(200, json={})

        client = client_of(answer)
        for read_or_write in (client.get, client.post):
            with pytest.raises(ValueError, match=r"must be a path below http://assay\.test/api/"):
                read_or_write(path)
        assert asked == []

    @pytest.mark.parametrize("url", ["https://lea:secret@assay.test", "https://lea:secret@[", "lea:secret@x"])
    def test_a_password_in_an_address_is_never_told(self, url: str) -> None:
        with pytest.raises(ValueError, match="is not a web address") as caught:
            Client(url, "assay_x")
        assert "secret" not in str(caught.value)

    def test_a_redirect_never_takes_the_token_along(self) -> None:
        asked: list[str] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url.host)
            return httpx2.Response(302, headers={"Location": "http://elsewhere.test/"})

        with pytest.raises(errors.NotAssay):
            client_of(answer).projects()
        assert asked == ["assay.test"]


class Unreachable:
    """Loses so many connections, then answers."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.asked = 0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        if self.left:
            self.left -= 1
            raise httpx2.ReadError("connection reset")
        return httpx2.Response(200, json=[])


class TestLostConnections:
    def test_reads_are_tried_again(self) -> None:
        pauses: list[float] = []
        assert client_of(Unreachable(len(PAUSES)), pauses).projects() == []
        assert pauses == list(PAUSES)

    def test_reads_end_some_time(self) -> None:
        server = Unreachable(99)
        with pytest.raises(errors.ConnectionLost, match="connection reset"):
            client_of(server).projects()
        assert server.asked == len(PAUSES) + 1

    def test_writes_are_tried_again_with_the_same_key(self) -> None:
        keys: list[str | None] = []
        server = Unreachable(2)

        def answer(request: httpx2.Request) -> httpx2.Response:
            keys.append(request.headers.get("Idempotency-Key"))
            return server(request)

        client = client_of(answer)
        assert client.post("projects/small/exports", {"format": "f"}) == []
        assert client.post("projects/small/exports", {"format": "f"}) == []
        first, second = keys[:3], keys[3:]
        assert len(set(first)) == 1
        assert set(first).isdisjoint(second)
        assert None not in keys

    def test_a_key_of_ones_own_is_sent(self) -> None:
        keys: list[str | None] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            keys.append(request.headers.get("Idempotency-Key"))
            return httpx2.Response(200, json={})

        client = client_of(answer)
        client.post("projects", {}, idempotency_key="my own")
        client.get("projects")
        assert keys == ["my own", None]

    def test_files_are_sent_again_from_their_beginning(self, tmp_path: Path) -> None:
        (tmp_path / "a.jsonl").write_text("the content")
        bodies: list[bytes] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            if request.method == "POST":
                bodies.append(request.read())
                if len(bodies) == 1:
                    raise httpx2.ReadError("connection reset")
                return refusal(400)
            return httpx2.Response(200, json={"slug": "small"})

        with pytest.raises(errors.Invalid):
            client_of(answer).project("small").import_files(tmp_path / "a.jsonl")
        assert [b"the content" in body for body in bodies] == [True, True]

    @pytest.mark.parametrize("status", [502, 503, 504])
    def test_a_server_that_is_away_is_asked_again(self, status: int) -> None:
        for ask in (lambda client: client.projects(), lambda client: client.post("projects")):
            pauses: list[float] = []
            left = iter([httpx2.Response(status, text="<html>"), refusal(status)])
            found = ask(client_of(lambda _, left=left: next(left, httpx2.Response(200, json=[])), pauses))
            assert found == []
            assert pauses == list(PAUSES[:2])

    def test_one_that_stays_away_says_so(self) -> None:
        asked: list[str] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url.path)
            return refusal(503)

        with pytest.raises(errors.ServerFailed):
            client_of(answer).projects()
        assert asked == ["/api/projects"] * (len(PAUSES) + 1)

    def test_a_bug_of_the_server_is_not_met_twice(self) -> None:
        asked: list[str] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url.path)
            return refusal(500)

        with pytest.raises(errors.ServerFailed):
            client_of(answer).post("projects")
        assert len(asked) == 1

    def test_what_still_runs_is_waited_for(self) -> None:
        pauses: list[float] = []
        left = iter([refusal(409, code="idempotency_key_running")] * 5)
        client = client_of(lambda _: next(left, httpx2.Response(200, json=[])), pauses)
        assert client.post("bundles") == []
        assert pauses == list(RUNNING_PAUSES[:5])

    @pytest.mark.parametrize("code", ["idempotency_key_running", "idempotency_outcome_unknown", "other"])
    def test_a_conflict_is_told(self, code: str) -> None:
        pauses: list[float] = []
        with pytest.raises(errors.Conflict) as caught:
            client_of(lambda _: refusal(409, code=code), pauses).post("bundles")
        assert caught.value.code == code
        assert pauses == (list(RUNNING_PAUSES) if code == "idempotency_key_running" else [])

    def test_names_cannot_leave_their_place_in_an_address(self) -> None:
        asked: list[bytes] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url.raw_path)
            return refusal(404)

        with pytest.raises(errors.NotFound):
            client_of(answer).project("../session?x=")
        assert asked == [b"/api/projects/..%2Fsession%3Fx%3D"]


RUN = {
    "id": "r",
    "judge": "j",
    "name": "J",
    "signature": "s",
    "message": "The model is gone.",
    "total": 2,
    "done": 1,
    "unscored": 0,
    "failed": 0,
}


class TestWaiting:
    def _project(self, states: list[str], pauses: list[float] | None = None) -> Any:
        left = iter(states)

        def answer(request: httpx2.Request) -> httpx2.Response:
            if request.url.path.endswith("/small"):
                return httpx2.Response(200, json={"slug": "small"})
            return httpx2.Response(200, json={**RUN, "state": next(left), "later_field": 1})

        return client_of(answer, pauses).project("small")

    def test_ends_with_the_run(self) -> None:
        pauses: list[float] = []
        project = self._project(["queued", "running", "running", "finished"], pauses)
        assert project.wait(project.run_judge("j")).state == "finished"
        assert len(pauses) == 2
        assert pauses == sorted(pauses)

    @pytest.mark.parametrize("state", ["failed", "paused", "cancelled"])
    def test_a_run_that_does_not_finish_is_an_error(self, state: str) -> None:
        project = self._project(["queued", state])
        with pytest.raises(errors.WorkFailed, match=rf"did not finish \({state}\)\. The model is gone\."):
            project.wait(project.run_judge("j"))

    def test_has_an_end(self) -> None:
        project = self._project(["queued"] * 3)
        with pytest.raises(errors.TookTooLong, match="continues on the server"):
            project.wait(project.run_judge("j"), seconds=-1)


class TestDownload:
    def _project(self, **changed: object) -> Any:
        export = {
            "id": "e",
            "format": "f",
            "file_name": "f.csv",
            "state": "finished",
            "message": "",
            "rows": 1,
            "size": 3,
            "sha256": hashlib.sha256(b"abc").hexdigest(),
        }

        def answer(request: httpx2.Request) -> httpx2.Response:
            if request.url.path.endswith("/download"):
                return httpx2.Response(200, content=b"abc")
            return httpx2.Response(200, json={**export, **changed, "slug": "small"})

        return client_of(answer).project("small")

    def test_what_arrives_otherwise_is_not_written(self, tmp_path: Path) -> None:
        with pytest.raises(errors.ConnectionLost, match="differs from the export"):
            self._project(sha256="0" * 64).export("f", tmp_path)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("name", ["../f.csv", "/f.csv", "..", ".bashrc", "", "a\\b", "a\nb", "a\0b", 5])
    def test_a_server_cannot_choose_the_place(self, tmp_path: Path, name: object) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        with pytest.raises(errors.NotAssay):
            self._project(file_name=name).export("f", folder)
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    def test_a_file_that_is_there_stays_unless_it_is_said(self, tmp_path: Path) -> None:
        mine = tmp_path / "Makefile"
        mine.write_text("mine")
        (tmp_path / "link").symlink_to(tmp_path / "nowhere")
        project = self._project(file_name="Makefile")
        for place in (tmp_path, mine, tmp_path / "link"):
            with pytest.raises(FileExistsError, match="already exists"):
                project.export("f", place)
        assert mine.read_text() == "mine"
        project.export("f", tmp_path, overwrite=True)
        assert mine.read_text() == "abc"


@pytest.mark.services
class TestScript:
    def test_of_the_documentation_makes_a_study_and_writes_its_leaderboard(
        self, server: Server, tmp_path: Path
    ) -> None:
        done = subprocess.run(
            [sys.executable, "-c", documented_script()],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "ASSAY_URL": server.url,
                "ASSAY_TOKEN": server.token,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        check_documented_results(tmp_path, done.stdout)

    def test_what_was_carried_out_unheard_is_not_carried_out_again(
        self, server: Server, tmp_path: Path
    ) -> None:
        class LosesReplies(httpx2.HTTPTransport):
            """Loses the first reply to each write."""

            lost: ClassVar[set[str]] = set()

            def handle_request(self, request: httpx2.Request) -> httpx2.Response:
                reply = super().handle_request(request)
                key = request.headers.get("Idempotency-Key", "")
                if key and key not in self.lost:
                    reply.read()
                    reply.close()
                    self.lost.add(key)
                    raise httpx2.ReadError("connection reset")
                return reply

        file = tmp_path / "a.jsonl"
        file.write_text('{"question": "q", "answer": "a", "system": "s", "prediction": "p"}\n')
        with Client(server.url, server.token, transport=LosesReplies(), sleep=lambda _: None) as client:
            project = client.create_project("Lossy", slug="lossy")
            project.import_files(file)
            project.export("votes-csv", tmp_path / "votes.csv")
            assert [each.slug for each in client.projects()].count("lossy") == 1
            assert len(client.get("projects/lossy/imports")) == 1
            assert len(client.get("projects/lossy/exports")) == 1
        assert len(LosesReplies.lost) == 4

    def test_files_with_errors_leave_nothing(self, server: Server, tmp_path: Path) -> None:
        (tmp_path / "bad.jsonl").write_text('{"question": "a", "answer": ["b"]}\n{"question": \n')
        with Client(server.url, server.token) as client:
            project = client.create_project("Errors", slug="errors")
            with pytest.raises(errors.WorkFailed, match=r"bad\.jsonl:2: "):
                project.import_files(tmp_path / "bad.jsonl")
            assert project.leaderboard().rows == []
            (info,) = (each for each in client.projects() if each.slug == "errors")
            assert (info.role, info.question_count) == ("lead", 0)

    def test_the_servers_refusals_are_the_clients(self, server: Server) -> None:
        with Client(server.url, server.token) as client:
            client.create_project("Refusals", slug="refusals")
            with pytest.raises(errors.NotFound):
                client.project("nowhere")
            with pytest.raises(errors.Conflict):
                client.create_project("Refusals", slug="refusals")
            with pytest.raises(errors.Forbidden, match="scope"):
                client.post("projects/refusals/invitations", {"role": "annotator"})
        with Client(server.url, "assay_wrong") as client, pytest.raises(errors.NotSignedIn):
            client.projects()
