"""The provider that misbehaves: it does what its script says, and its journal holds what it did."""

import contextlib
import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from tests.hostile import Provider, Script, Step, calls_paid_again, calls_paid_needlessly
from tests.hostile_replies import example_of

Start = Callable[[str], Provider]
SCHEMA = {"type": "object", "properties": {"verdict": {"enum": ["correct", "incorrect"]}, "why": {}}}


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def ask(
    provider: Provider, prompt: str = "is it?", *, seconds: float = 60, **fields: Any
) -> tuple[Any, bytes]:
    """Ask once, and return the reply's headers (with its status) and body."""
    body = {"messages": [{"role": "user", "content": prompt}], **fields}
    request = urllib.request.Request(
        f"{provider.base_url}/chat/completions", json.dumps(body).encode(), {"Authorization": "Bearer key"}
    )
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=seconds) as reply:
            return reply, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error, error.read()


def say(provider: Provider, **fields: Any) -> str:
    content: str = json.loads(ask(provider, **fields)[1])["choices"][0]["message"]["content"]
    return content


def receive(line: socket.socket) -> bytes:
    """Return what comes until there is a silence."""
    received = b""
    with contextlib.suppress(TimeoutError):
        while piece := line.recv(65_536):
            received += piece
            line.settimeout(0.1)
    return received


class TestScript:
    def test_follows_its_steps_and_repeats_the_last(self) -> None:
        script = Script("429:7 500 good")
        assert [script.step_for("a", ask=1) for _ in range(4)] == [
            Step("429", "7"),
            Step("500"),
            Step("good"),
            Step("good"),
        ]

    def test_draws_the_same_steps_whatever_the_order_of_the_calls(self) -> None:
        first, second = Script("seed=3 good*2 500 half"), Script("seed=3 good*2 500 half")
        prompts = [f"prompt {number}" for number in range(50)]
        forward = {prompt: first.step_for(prompt, ask=1) for prompt in prompts}
        assert forward == {prompt: second.step_for(prompt, ask=1) for prompt in reversed(prompts)}
        assert set(forward.values()) == {Step("good"), Step("500"), Step("half")}

    @pytest.mark.parametrize("text", ["", "seed=3", "good nonsense"])
    def test_refuses_what_it_cannot_do(self, text: str) -> None:
        with pytest.raises(ValueError, match="no steps"):
            Script(text)


class TestReplies:
    def test_a_good_one_is_a_whole_completion(self, start_provider: Start) -> None:
        reply = json.loads(ask(start_provider("good:No"), logprobs=True)[1])
        choice = reply["choices"][0]
        assert choice["message"] == {"role": "assistant", "content": "No"}
        assert choice["logprobs"]["content"][0]["top_logprobs"][0] == {"token": "No", "logprob": -0.1}
        assert (choice["finish_reason"], reply["system_fingerprint"]) == ("stop", "fp_hostile")
        assert reply["usage"] == {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}

    def test_a_good_one_follows_the_schema_that_was_asked_for(self, start_provider: Start) -> None:
        wanted = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": SCHEMA}}
        assert json.loads(say(start_provider("good"), response_format=wanted)) == example_of(SCHEMA)

    def test_a_prompt_gets_a_text(self, start_provider: Start) -> None:
        provider = start_provider("good")
        request = urllib.request.Request(f"{provider.base_url}/completions", b'{"prompt": "is it?"}')
        with urllib.request.urlopen(request, timeout=60) as reply:
            assert json.load(reply)["choices"][0]["text"] == "Yes"
        assert provider.entries()[0].prompt == "is it?"

    @pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500, 503])
    def test_a_refusal_has_its_status_and_a_message(self, start_provider: Start, status: int) -> None:
        reply, body = ask(start_provider(str(status)))
        assert reply.status == status
        assert json.loads(body)["error"]["message"]

    def test_silence_is_asked_for_in_seconds_or_by_a_date(self, start_provider: Start) -> None:
        provider = start_provider("429:7 429:date7")
        assert ask(provider)[0].headers["Retry-After"] == "7"
        assert parsedate_to_datetime(ask(provider)[0].headers["Retry-After"])

    @pytest.mark.parametrize("step", ["half", "garbage", "html"])
    def test_what_is_no_completion_is_no_json(self, start_provider: Start, step: str) -> None:
        reply, body = ask(start_provider(step))
        assert reply.status == 200
        with pytest.raises(ValueError):  # noqa: PT011 (of several kinds)
            json.loads(body)

    @pytest.mark.parametrize("step", ["broken", "cut"])
    def test_the_line_goes_dead(self, start_provider: Start, step: str) -> None:
        with pytest.raises(Exception, match=r"IncompleteRead|closed connection"):
            ask(start_provider(step))

    @pytest.mark.parametrize("step", ["hang", "drip"])
    def test_no_reply_comes_in_time(self, start_provider: Start, step: str) -> None:
        provider = start_provider(step)
        with socket.create_connection(("127.0.0.1", provider.port), timeout=0.3) as line:
            line.sendall(b"POST /v1/completions HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
            received = receive(line)
        assert b"usage" not in received

    def test_a_huge_one_is_larger_than_any_limit(self, start_provider: Start) -> None:
        assert len(ask(start_provider("huge"))[1]) > 10_000_000

    def test_a_redirect_leads_to_loopback_and_who_follows_is_written_down(
        self, start_provider: Start
    ) -> None:
        provider = start_provider("redirect")
        place = ask(provider)[0].headers["Location"]
        assert place == f"http://127.0.0.1:{provider.port}/landed"
        with urllib.request.urlopen(place, timeout=60) as reply:
            reply.read()
        assert [entry.path for entry in provider.entries()] == ["/v1/chat/completions", "/landed"]

    def test_the_rest_is_said_in_words(self, start_provider: Start) -> None:
        provider = start_provider("injected length no-usage empty error")
        assert '{"verdict": "correct"}' in say(provider)
        assert json.loads(ask(provider)[1])["choices"][0]["finish_reason"] == "length"
        assert "usage" not in json.loads(ask(provider)[1])
        assert json.loads(ask(provider)[1])["choices"][0]["message"]["content"] is None
        assert "error" in json.loads(ask(provider)[1])


class TestJournal:
    def test_holds_every_request_and_what_was_charged(self, start_provider: Start) -> None:
        provider = start_provider("429 good half good")
        for prompt in ("first", "first", "first", "other"):
            ask(provider, prompt)
        entries = provider.entries()
        assert [(entry.prompt, entry.step, entry.is_charged) for entry in entries] == [
            ("first", "429", False),
            ("first", "good", True),
            ("first", "half", True),
            ("other", "good", True),
        ]
        assert {entry.authorization for entry in entries} == {"Bearer key"}
        assert (calls_paid_again(entries), calls_paid_needlessly(entries)) == (1, 1)
        assert [entry.price(input_price=10, output_price=100) for entry in entries] == [0, 120, 120, 120]


class TestProgram:
    @pytest.mark.services
    def test_serves_a_script(self, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        command = [sys.executable, "-m", "tests.hostile", "0", "good:Maybe", "--journal", str(journal)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                url = process.stdout.readline().strip()
                request = urllib.request.Request(f"{url}/completions", b'{"prompt": "is it?"}')
                with urllib.request.urlopen(request, timeout=60) as reply:
                    assert json.load(reply)["choices"][0]["text"] == "Maybe"
            finally:
                process.terminate()
        assert journal.exists()
