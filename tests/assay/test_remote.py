"""The command over HTTP: signing in, files in and out, judges, and figures that fail a build."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.remote import plain
from tests.assay.conftest import Server

ROOT = Path(__file__).resolve().parent.parent.parent
QUESTIONS = """question,gold_answer,system,prediction
Which river flows through Vienna?,Danube,heron,The Danube
Which river flows through Vienna?,Danube,wren,The Rhine
Which river flows through Cairo?,Nile,heron,The Nile
"""
VOTES = """Question\tModel answer\tannotator1\tannotator2
Which river flows through Vienna?\tThe Danube\tYes\tYes
Which river flows through Vienna?\tThe Rhine\tNo\tNo
Which river flows through Cairo?\tThe Nile\tYes\tYes
"""
Finished = subprocess.CompletedProcess[str]
Assay = Callable[..., Finished]


@pytest.fixture
def assay(tmp_path: Path) -> Assay:
    """Run the command in an empty folder with an empty home."""
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "XDG_"))}

    def run(*arguments: str, given: str = "", **environment: str) -> Finished:
        return subprocess.run(
            [sys.executable, "-m", "assay", *arguments],
            cwd=folder,
            env={**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), **environment},
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    return run


def login_files(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "home").rglob("*") if path.is_file()]


@pytest.mark.services
class TestStudy:
    def test_goes_in_is_judged_reported_and_comes_out(
        self, assay: Assay, server: Server, tmp_path: Path
    ) -> None:
        signed_in = assay("login", server.url, "--token-stdin", given=f"{server.token}\n")
        assert (signed_in.returncode, signed_in.stderr) == (0, "")
        assert server.token not in signed_in.stdout
        (kept,) = login_files(tmp_path)
        assert kept.stat().st_mode & 0o777 == 0o600

        (tmp_path / "folder" / "rivers.csv").write_text(QUESTIONS)
        (tmp_path / "folder" / "votes.tsv").write_text(VOTES)
        missing = assay("push", "walk", "rivers.csv")
        assert missing.returncode == 1
        pushed = assay("push", "walk", "rivers.csv", "--protocol", "openqa-eval")
        assert (pushed.returncode, pushed.stderr) == (0, "")
        assert pushed.stdout.startswith("Imported as generic: ")
        # Nobody has voted, so there is no kappa that could be high enough.
        undefined = assay("report", "walk", "--fail-under", "kappa=0.1")
        assert undefined.returncode == 3
        assert "kappa is – (" in undefined.stderr
        assert assay("push", "walk", "votes.tsv").returncode == 0

        judged = assay("judge", "walk", "token_f1", "--set", "threshold=0.6")
        assert (judged.returncode, judged.stderr) == (0, "")
        assert judged.stdout.splitlines() == [
            "Token F1: finished, 3 of 3 judged, 0 unscored",
            "judge:token_f1|threshold:0.6|gold:original|revision:1",
        ]
        assert "walk  open  lead  2 questions" in assay("status").stdout
        assert "finished  3 of 3 judged  Token F1" in assay("status", "walk").stdout

        enough = assay("report", "walk", "--json", "--fail-under", "kappa=0.99", "--fail-under", "ac1=0.5")
        assert enough.returncode == 0, enough.stderr
        report = json.loads(enough.stdout)
        assert report["agreement"]["figures"]["fleiss_kappa"]["value"] == 1.0
        assert [row["label"] for row in report["leaderboard"]["rows"]] == ["heron", "wren"]
        below = assay("report", "walk", "--fail-under", "fleiss_kappa=1.01")
        assert (below.returncode, "below 1.01" in below.stderr) == (3, True)
        assert "fleiss_kappa  1.000" in below.stdout

        pulled = assay("pull", "walk", "votes-csv", "--to", "out.csv")
        assert (pulled.returncode, pulled.stderr) == (0, "")
        assert "The Rhine" in (tmp_path / "folder" / "out.csv").read_text("utf-8")
        again = assay("pull", "walk", "votes-csv", "--to", "out.csv")
        assert (again.returncode, "already exists" in again.stderr) == (1, True)
        assert assay("pull", "walk", "votes-csv", "--to", "out.csv", "--force").returncode == 0

    def test_what_does_not_work_ends_with_1_and_the_servers_words(
        self, assay: Assay, server: Server, tmp_path: Path
    ) -> None:
        by_environment = {"ASSAY_URL": server.url, "ASSAY_TOKEN": server.token}
        (tmp_path / "folder" / "bad.jsonl").write_text('{"question": \n')
        pushed = assay("push", "bad", "bad.jsonl", "--protocol", "openqa-eval", **by_environment)
        assert pushed.returncode == 1
        assert "bad.jsonl:1: " in pushed.stderr
        for arguments in (
            ("judge", "bad", "oracle"),
            ("judge", "bad", "token_f1", "--set", "threshold=much"),
            ("pull", "bad", "no-such-format"),
            ("push", "bad", "absent.csv"),
            ("push", "nowhere/../bad", "bad.jsonl"),
        ):
            done = assay(*arguments, **by_environment)
            assert (done.returncode, done.stdout) == (1, ""), arguments
            assert done.stderr.startswith("assay: ")
            assert "Traceback" not in done.stderr
        absent = assay("push", "new", "absent.csv", "--protocol", "openqa-eval", **by_environment)
        assert absent.returncode == 1
        assert "new  open" not in assay("status", **by_environment).stdout
        unknown = assay("report", "bad", "--fail-under", "beauty=1", **by_environment)
        assert unknown.returncode == 2
        assert "Use one of: " in unknown.stderr

    def test_a_token_that_is_none_is_not_kept(self, assay: Assay, server: Server, tmp_path: Path) -> None:
        done = assay("login", server.url, "--token-stdin", given="assay_wrong_one\n")
        assert done.returncode == 1
        assert login_files(tmp_path) == []


class TestWrongUse:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ((), "required: COMMAND"),
            (("dance",), "invalid choice"),
            (("status",), "Sign in first: assay login URL."),
            (("judge", "p", "token_f1", "--set", "threshold"), "“threshold”: write it as NAME=VALUE."),
            (("report", "p", "--fail-under", "kappa=high"), "needs a figure and a number"),
            (("login", "assay.example.org", "--token-stdin"), "is not a web address"),
            (("login", "http://[", "--token-stdin"), "is not a web address"),
            (("login", "http://a:b", "--token-stdin"), "is not a web address"),
            (("login", "ftp://assay.example.org", "--token-stdin"), "is not a web address"),
            (("login", "http://assay.example.org", "--token-stdin"), "others could read the token"),
            (("login", "https://assay.example.org", "--token-stdin"), "Enter an API token"),
        ],
    )
    def test_ends_with_2(self, assay: Assay, arguments: tuple[str, ...], said: str) -> None:
        done = assay(*arguments)
        assert done.returncode == 2
        assert said in done.stderr

    def test_half_of_a_login_is_none(self, assay: Assay) -> None:
        done = assay("status", ASSAY_URL="https://assay.example.org")
        assert (done.returncode, "or neither" in done.stderr) == (2, True)

    @pytest.mark.parametrize("url", ["http://assay.example.org", "http://localhost.example.org:8000"])
    def test_no_command_sends_the_token_for_all_to_read(self, assay: Assay, tmp_path: Path, url: str) -> None:
        done = assay("status", ASSAY_URL=url, ASSAY_TOKEN="assay_x")
        assert (done.returncode, "others could read the token" in done.stderr) == (2, True)
        place = tmp_path / "home" / "config" / "assay" / "login.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps({"url": url, "token": "assay_x"}))
        kept = assay("status", XDG_CONFIG_HOME=str(tmp_path / "home" / "config"))
        assert (kept.returncode, "others could read the token" in kept.stderr) == (2, True)

    def test_who_wants_it_may(self, assay: Assay) -> None:
        # Not among the names of this machine, and nobody answers.
        done = assay("status", ASSAY_URL="http://[::]:9", ASSAY_TOKEN="assay_x", ASSAY_INSECURE="1")
        assert done.returncode == 1
        assert done.stderr.startswith("assay: http://[::]:9/api/: ")

    def test_a_damaged_login_is_said_so(self, assay: Assay, tmp_path: Path) -> None:
        place = tmp_path / "home" / "config" / "assay" / "login.json"
        place.parent.mkdir(parents=True)
        place.write_text("{")
        done = assay("status", XDG_CONFIG_HOME=str(tmp_path / "home" / "config"))
        assert (done.returncode, "is damaged" in done.stderr) == (2, True)

    @pytest.mark.parametrize("token", ["geheim\u00fc", "a\x1bb"])
    def test_what_cannot_be_a_token_is_no_crash(self, assay: Assay, token: str) -> None:
        done = assay("status", ASSAY_URL="https://assay.example.org", ASSAY_TOKEN=token)
        assert (done.returncode, "printable ASCII" in done.stderr) == (2, True)

    def test_nobody_at_the_address_is_told_with_1(self, assay: Assay) -> None:
        done = assay("status", ASSAY_URL="http://127.0.0.1:9", ASSAY_TOKEN="assay_x")
        assert done.returncode == 1
        assert done.stderr.startswith("assay: http://127.0.0.1:9/api/: ")


class TestPlain:
    def test_leaves_no_command_for_the_terminal(self) -> None:
        assert plain("a\x1b[2Jb\tc\nd\u202ee\x07") == "a�[2Jb\tc\nd�e�"
