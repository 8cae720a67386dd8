"""The LLM judge: one call an answer, repeats, probabilities, and what is never asked."""

import math

import pytest

from judges.methods.llm.client import Completion
from judges.methods.llm.judge import BETWEEN_REPLIES, LlmJudge, LlmOptions, probability_of_yes
from judges.methods.llm.prompts import BUILT_IN, WorkedExample
from judges.protocol import JudgeFailed, JudgeInput, UnusableOption, Verdict
from judges.registry import JUDGES, make_judge
from tests.judges.methods.llm.conftest import ScriptedClient

ITEM = JudgeInput("who wrote hamlet", "Shakespeare", ("William Shakespeare", "Shakespeare (playwright)"))


def _judge(client: ScriptedClient, prompt: str = "kamalloo", **options: object) -> LlmJudge:
    return LlmJudge(LlmOptions(prompt=prompt, **options), client=client, template=BUILT_IN[prompt])


class TestLlmJudge:
    def test_asks_once_for_each_answer(self) -> None:
        client = ScriptedClient("Yes.", "No.")
        verdicts = _judge(client).judge([ITEM, ITEM._replace(answer="Marlowe")])
        assert verdicts == [Verdict(True, raw_reply="Yes."), Verdict(False, raw_reply="No.")]
        assert [request.max_tokens for request in client.requests] == [2000, 2000]
        assert {request.temperature for request in client.requests} == {0.0}

    def test_is_made_by_the_registry_with_its_resources(self) -> None:
        client = ScriptedClient('{"verdict": "correct"}')
        judge = make_judge(
            JUDGES["llm"], {}, client=client, template=BUILT_IN["structured"], endpoint="completion"
        )
        assert judge.judge([ITEM])[0].accepted is True
        (request,) = client.requests
        assert request.endpoint == "completion"
        assert request.response_schema == BUILT_IN["structured"].response_schema

    def test_can_read_by_another_parser_than_the_prompts(self) -> None:
        reply = "No, the candidate is correct."
        assert _judge(ScriptedClient(reply)).judge([ITEM])[0].accepted is None
        assert _judge(ScriptedClient(reply), parser="first-word").judge([ITEM])[0].accepted is False

    @pytest.mark.parametrize("prompt", [key for key in BUILT_IN if key != "evouna-in-context"])
    def test_never_accepts_what_it_cannot_read(self, prompt: str) -> None:
        for reply in (Completion("Yes", "length"), "", "It is a fine answer.", "{"):
            verdict = _judge(ScriptedClient(reply), prompt).judge([ITEM])[0]
            assert verdict.accepted is None
            assert verdict.unscored_reason

    @pytest.mark.parametrize(
        ("answer", "flags"),
        [
            ("", ()),
            (" \n", ()),
            ("\u200b", ("injection", "hidden_characters")),
            (":", ("content_free",)),
            ("...", ("content_free",)),
            ("Solution", ("content_free",)),
            ("Thought process:", ("content_free",)),
        ],
    )
    def test_settles_what_says_nothing_without_a_call(self, answer: str, flags: tuple[str, ...]) -> None:
        client = ScriptedClient("Yes")
        assert _judge(client).judge([ITEM._replace(answer=answer)]) == [Verdict(False, flags=flags)]
        assert client.requests == []

    def test_asks_about_what_says_little_but_equals_a_gold(self) -> None:
        client = ScriptedClient("Yes")
        item = JudgeInput("which sign ends a sentence", ".", (".",))
        assert _judge(client).judge([item]) == [Verdict(True, raw_reply="Yes")]

    def test_rejects_where_there_is_no_gold(self) -> None:
        client = ScriptedClient("Yes")
        assert _judge(client).judge([ITEM._replace(golds=())]) == [Verdict(False)]
        assert client.requests == []

    def test_lets_a_failed_call_through(self) -> None:
        class Silent:
            def complete(self, request: object) -> Completion:
                raise JudgeFailed("silence", retryable=True)

        judge = LlmJudge(LlmOptions(), client=Silent(), template=BUILT_IN["structured"])
        with pytest.raises(JudgeFailed, match="silence"):
            judge.judge([ITEM])

    def test_needs_worked_examples_where_the_prompt_shows_them(self) -> None:
        template, options = BUILT_IN["evouna-in-context"], LlmOptions(prompt="evouna-in-context")
        client = ScriptedClient("Yes")
        with pytest.raises(UnusableOption) as caught:
            LlmJudge(options, client=client, template=template)
        assert caught.value.option == "examples_project"
        examples = [WorkedExample("q1", ("g1", "g2"), "a1", True), WorkedExample("q2", ("g3",), "a2", False)]
        LlmJudge(options, client=client, template=template, examples=examples).judge([ITEM])
        (message,) = client.requests[0].messages
        assert "Gold answers: g1/g2\nAI-generated answer: a1\nVerdict: Yes\n\nQuestion: q2" in message.content


class TestRepeats:
    @pytest.mark.parametrize(
        ("replies", "verdict"),
        [
            (["Yes", "Yes", "Yes"], Verdict(True, score=1.0)),
            (["No", "Yes", "No"], Verdict(False, score=1 / 3, flags=("unstable",))),
            (["Yes", "?", "?"], Verdict(True, score=1.0, flags=("unstable",))),
            (["Yes", "No", "?"], Verdict(None, unscored_reason="tied", flags=("unstable",))),
            (["?", "?", ""], Verdict(None, unscored_reason="unparsable")),
        ],
    )
    def test_take_the_majority_and_flag_dissent(self, replies: list[str], verdict: Verdict) -> None:
        client = ScriptedClient(*replies)
        found = _judge(client, repeats=3).judge([ITEM])[0]
        assert found == verdict._replace(raw_reply=BETWEEN_REPLIES.join(replies))
        assert [request.repeat for request in client.requests] == [0, 1, 2]

    def test_shuffle_the_gold_answers_by_the_seed(self) -> None:
        golds = tuple(map(str, range(10)))
        client = ScriptedClient("Yes")
        for seed in (1, 1, 2):
            _judge(client, repeats=2, shuffle_golds=True, seed=seed).judge([ITEM._replace(golds=golds)])
        sent = [request.messages[0].content.split("\n")[1] for request in client.requests]
        assert sent[:2] == sent[2:4]
        assert len(set(sent)) == 4
        assert all(sorted(each.removeprefix("Answer: ").split(" or ")) == list(golds) for each in sent)


class TestProbabilityOfYes:
    def test_is_the_share_among_yes_and_no(self) -> None:
        logprobs = (("Yes", math.log(0.6)), (" no", math.log(0.2)), ("yes", math.log(0.1)), ("It", -9.0))
        assert probability_of_yes(Completion("Yes", "stop", logprobs=logprobs)) == pytest.approx(7 / 9)

    def test_is_unknown_where_neither_was_likely(self) -> None:
        assert probability_of_yes(Completion("Yes", "stop")) is None
        assert probability_of_yes(Completion("It", "stop", logprobs=(("It", -0.1),))) is None

    def test_is_asked_for_where_the_verdict_comes_first(self) -> None:
        client = ScriptedClient(Completion("Yes", "stop", logprobs=(("Yes", 0.0),)))
        assert _judge(client, logprobs=True).judge([ITEM])[0].score == 1.0
        _judge(client, "evouna-chain-of-thought", logprobs=True).judge([ITEM])
        assert [request.wants_logprobs for request in client.requests] == [True, False]

    def test_the_structured_prompt_asks_for_it_and_reads_the_labels_first_token(self) -> None:
        offered = (
            ("in", math.log(0.2)),
            ("correct", math.log(0.6)),
            ("cannot", -0.1),
            ("c", -0.1),
            ("It", 0.0),
        )
        client = ScriptedClient(Completion('{"verdict": "correct"}', "stop", logprobs=offered))
        assert _judge(client, "structured", logprobs=True).judge([ITEM])[0].score == pytest.approx(0.75)
        assert client.requests[0].wants_logprobs
