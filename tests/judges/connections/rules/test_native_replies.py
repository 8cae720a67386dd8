"""A reply over a provider's own API is a whole completion, one that was withheld or cut off, or a failure."""

import json
from typing import Any

import pytest

from judges.connections.rules import anthropic, gemini
from judges.methods.llm.client import Completion
from judges.protocol import JudgeFailed


def message(*blocks: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "m-2", "content": list(blocks), "stop_reason": "end_turn", **fields}


def text(words: Any) -> dict[str, Any]:
    return {"type": "text", "text": words}


def read_message(reply: Any) -> Completion:
    return anthropic.read_completion(json.dumps(reply).encode(), seconds=1.0)


def candidate(*parts: Any, **fields: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": list(parts)}, "finishReason": "STOP", **fields}]}


def read_candidate(reply: Any) -> Completion:
    return gemini.read_completion(json.dumps(reply).encode(), seconds=1.0)


class TestAnthropic:
    def test_all_texts_are_the_reply_and_thoughts_are_not(self) -> None:
        reply = message({"type": "thinking", "thinking": "No."}, text("Yes, "), text("it is."))
        assert read_message(reply).text == "Yes, it is."

    def test_what_is_billed_is_counted_wherever_it_was_read(self) -> None:
        usage = {
            "input_tokens": 5,
            "cache_creation_input_tokens": 20,
            "cache_read_input_tokens": 300,
            "output_tokens": 7,
        }
        completion = read_message(message(text("Yes"), usage=usage))
        assert (completion.input_tokens, completion.cached_tokens, completion.output_tokens) == (325, 300, 7)

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ("end_turn", "stop"),
            ("stop_sequence", "stop"),
            ("max_tokens", "length"),
            ("model_context_window_exceeded", "length"),
            ("refusal", "content_filter"),
            ("something_new", "something_new"),
        ],
    )
    def test_reasons_to_end_are_in_the_judges_words(self, said: str, told: str) -> None:
        assert read_message(message(text("Yes"), stop_reason=said)).finish_reason == told

    @pytest.mark.parametrize(
        "reply",
        [
            [],
            {},
            {"type": "error", "error": {"type": "overloaded_error", "message": "x"}},
            message(text(7)),
            message("Yes"),
            {**message(), "content": None},
            message(text("Yes"), stop_reason=["end_turn"]),
        ],
    )
    def test_anything_else_is_a_failure_that_may_be_billed(self, reply: Any) -> None:
        with pytest.raises(JudgeFailed) as failed:
            read_message(reply)
        assert (failed.value.retryable, failed.value.may_be_billed) == (True, True)


class TestGemini:
    def test_all_texts_are_the_reply_and_thoughts_are_not(self) -> None:
        reply = candidate({"text": "No.", "thought": True}, {"text": "Yes, "}, {"text": "it is."})
        assert read_candidate(reply).text == "Yes, it is."

    def test_thoughts_are_billed_and_cached_input_is_part_of_the_input(self) -> None:
        usage = {
            "promptTokenCount": 325,
            "cachedContentTokenCount": 300,
            "candidatesTokenCount": 3,
            "thoughtsTokenCount": 40,
        }
        completion = read_candidate({**candidate({"text": "Yes"}), "usageMetadata": usage})
        assert (completion.input_tokens, completion.cached_tokens, completion.output_tokens) == (325, 300, 43)

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ("STOP", "stop"),
            ("MAX_TOKENS", "length"),
            ("CONTINUATION", "length"),
            (None, "length"),
            ("SAFETY", "content_filter"),
            ("PROHIBITED_CONTENT", "content_filter"),
            ("OTHER", "content_filter"),
        ],
    )
    def test_reasons_to_end_are_in_the_judges_words(self, said: str | None, told: str) -> None:
        assert read_candidate(candidate({"text": "Yes"}, finishReason=said)).finish_reason == told

    def test_a_candidate_without_content_says_nothing(self) -> None:
        completion = read_candidate({"candidates": [{"finishReason": "SAFETY"}]})
        assert (completion.text, completion.finish_reason) == ("", "content_filter")

    def test_a_blocked_prompt_is_a_reply_that_was_withheld(self) -> None:
        completion = read_candidate({"promptFeedback": {"blockReason": "OTHER"}, "modelVersion": "m-2"})
        assert completion == Completion("", "content_filter", model="m-2", seconds=1.0)

    @pytest.mark.parametrize(
        "offered", [{}, [], "x", {"chosenCandidates": [{"token": "Yes"}], "topCandidates": []}]
    )
    def test_probabilities_that_make_no_sense_are_none(self, offered: Any) -> None:
        assert read_candidate(candidate({"text": "Yes"}, logprobsResult=offered)).logprobs == ()

    @pytest.mark.parametrize(
        "reply",
        [
            [],
            {},
            {"error": {"code": 503, "message": "x"}},
            {"candidates": []},
            candidate({"text": 7}),
            candidate("Yes"),
            candidate({"text": "Yes"}, finishReason=["STOP"]),
        ],
    )
    def test_anything_else_is_a_failure_that_may_be_billed(self, reply: Any) -> None:
        with pytest.raises(JudgeFailed) as failed:
            read_candidate(reply)
        assert (failed.value.retryable, failed.value.may_be_billed) == (True, True)


class TestSplitAddress:
    @pytest.mark.parametrize(
        ("address", "parts"),
        [
            ("https://g.example", ("https://g.example", "v1beta")),
            ("https://g.example/v1beta", ("https://g.example", "v1beta")),
            ("https://g.example/v1", ("https://g.example", "v1")),
            ("https://g.example/team/v1alpha", ("https://g.example/team", "v1alpha")),
            ("https://g.example/team", ("https://g.example/team", "v1beta")),
        ],
    )
    def test_takes_the_version_from_the_end(self, address: str, parts: tuple[str, str]) -> None:
        assert gemini.split_address(address) == parts


class TestReadDetails:
    @pytest.mark.parametrize("error", [None, "x", [], {"error": "x"}, {"error": {"details": "x"}}])
    def test_nonsense_has_none(self, error: Any) -> None:
        assert gemini.read_details(error) == {}
        assert not gemini.needs_a_person("UNKNOWN", {})
        assert gemini.retry_after_of({"RetryInfo": {"retryDelay": 7}}) == ""
