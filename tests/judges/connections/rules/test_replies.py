"""A reply is a whole completion or a failure."""

import json
from typing import Any

import pytest

from judges.connections.rules.openai import read_completion
from judges.methods.llm.client import CHAT, COMPLETION, Completion
from judges.protocol import JudgeFailed


def read(reply: Any, *, endpoint: str = CHAT) -> Completion:
    return read_completion(json.dumps(reply).encode(), endpoint=endpoint, seconds=1.0)


def chat(content: Any, **choice: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, "finish_reason": "stop", **choice}]}


class TestReadCompletion:
    def test_takes_text_model_and_tokens(self) -> None:
        reply = {
            **chat("Yes"),
            "model": "m-2",
            "system_fingerprint": "fp",
            "usage": {"prompt_tokens": 9, "completion_tokens": 1},
        }
        assert read(reply) == Completion("Yes", "stop", "m-2", "fp", 9, 1, 1.0)

    def test_reads_the_other_endpoint(self) -> None:
        reply = {"choices": [{"text": " No", "finish_reason": "length"}]}
        assert read(reply, endpoint=COMPLETION)[:2] == (" No", "length")

    def test_silence_is_an_empty_text(self) -> None:
        assert read(chat(None)).text == ""

    @pytest.mark.parametrize(
        "reply",
        [
            [],
            {},
            {"choices": []},
            {"choices": [{}]},
            {"choices": [{"message": None}]},
            chat(["Yes"]),
            "Yes",
            chat({"text": "Yes"}),
            {"error": {"message": "overloaded"}},
            None,
            3,
        ],
    )
    def test_anything_else_is_a_failure_that_may_pass(self, reply: Any) -> None:
        with pytest.raises(JudgeFailed) as failed:
            read(reply)
        assert failed.value.retryable

    @pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe", b'{"choices": [', b"[" * 100_000])
    def test_so_is_what_is_no_json(self, body: bytes) -> None:
        with pytest.raises(JudgeFailed):
            read_completion(body, endpoint=CHAT, seconds=0)

    @pytest.mark.parametrize(
        ("details", "cached"), [({"cached_tokens": 7}, 7), ({"cached_tokens": "7"}, 0), ("many", 0)]
    )
    def test_tokens_from_the_providers_cache_are_told(self, details: Any, cached: int) -> None:
        usage = {"prompt_tokens": 9, "completion_tokens": 1, "prompt_tokens_details": details}
        completion = read({**chat("Yes"), "usage": usage})
        assert (completion.input_tokens, completion.cached_tokens) == (9, cached)

    @pytest.mark.parametrize(
        "usage", [None, {}, {"prompt_tokens": "many"}, {"prompt_tokens": -4}, {"prompt_tokens": True}]
    )
    def test_tokens_that_make_no_sense_are_none(self, usage: Any) -> None:
        assert read({**chat("Yes"), "usage": usage}).input_tokens == 0

    @pytest.mark.parametrize("sign", ["\0", chr(0xD800)])
    def test_signs_that_no_database_keeps_are_replaced(self, sign: str) -> None:
        names = {"model": f"m{sign}", "system_fingerprint": f"f{sign}"}
        top = [{"token": f"Yes{sign}", "logprob": -0.1}]
        offered = {"content": [{"token": "Yes", "top_logprobs": top}]}
        found = read({**chat(f"Yes{sign}", finish_reason=f"s{sign}", logprobs=offered), **names})
        kept = (found.text, found.finish_reason, found.model, found.fingerprint, found.logprobs[0][0])
        assert [text[:-1] for text in kept] == ["Yes", "s", "m", "f", "Yes"]
        assert {text[-1] for text in kept} <= {"?", "\N{REPLACEMENT CHARACTER}"}

    def test_names_are_cut_to_what_the_ledger_holds(self) -> None:
        found = read({**chat("Yes", finish_reason="s" * 500), "model": "m" * 500})
        assert (len(found.finish_reason), len(found.model)) == (60, 200)

    def test_probabilities_are_those_of_the_first_word(self) -> None:
        def place(token: str, *top: tuple[str, float]) -> dict[str, Any]:
            return {"token": token, "top_logprobs": [{"token": word, "logprob": log} for word, log in top]}

        offered = {"content": [place("**", ("**", 0.0)), place("Yes", ("No", -2.0), ("Yes", -0.1))]}
        assert read(chat("**Yes", logprobs=offered)).logprobs == (("Yes", -0.1), ("No", -2.0))

    @pytest.mark.parametrize("logprob", ["NaN", "-Infinity", "Infinity", "1e999"])
    def test_probabilities_that_are_no_numbers_are_left_out(self, logprob: str) -> None:
        top = [{"token": "No", "logprob": "odd"}, {"token": "Yes", "logprob": -0.5}]
        reply = chat("Yes", logprobs={"content": [{"token": "Yes", "top_logprobs": top}]})
        body = json.dumps(reply).replace('"odd"', logprob).encode()
        assert read_completion(body, endpoint=CHAT, seconds=0).logprobs == (("Yes", -0.5),)

    @pytest.mark.parametrize(
        "tokens",
        [
            ["{", '"', "verdict", '":', ' "', "correct", '"}'],
            ['{"', "ver", "dict", '": "', "cor", "rect", '"}'],
            ["\n", '{"verdict', '":"correct', '"}'],
        ],
    )
    def test_of_a_label_those_are_kept_that_stand_after_the_colon(self, tokens: list[str]) -> None:
        places = [{"token": each, "top_logprobs": [{"token": each, "logprob": -0.5}]} for each in tokens]
        ((kept, _),) = read(chat("".join(tokens), logprobs={"content": places})).logprobs
        assert "cor" in kept

    def test_probabilities_in_the_older_form(self) -> None:
        offered = {"tokens": ["\n", " No"], "top_logprobs": [None, {" No": -0.2, " Yes": -1.5}]}
        reply = {"choices": [{"text": "\n No", "finish_reason": "stop", "logprobs": offered}]}
        assert read(reply, endpoint=COMPLETION).logprobs == ((" No", -0.2), (" Yes", -1.5))

    @pytest.mark.parametrize(
        "offered",
        [
            None,
            {},
            [],
            {"content": None},
            {"content": [{}]},
            {"tokens": ["a"]},
            {"content": [{"token": 3, "top_logprobs": [{"token": "a", "logprob": 10**400}]}]},
        ],
    )
    def test_probabilities_that_make_no_sense_are_none(self, offered: Any) -> None:
        assert read(chat("Yes", logprobs=offered)).logprobs == ()
