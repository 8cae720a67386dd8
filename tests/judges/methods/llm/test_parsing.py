"""Replies become verdicts by hand-written cases, and on the 2,980 released replies."""

from collections import Counter

import pytest

from judges.methods.llm.parsing import (
    READERS,
    read_after_last_bar,
    read_first_word,
    read_label,
    read_reply,
    read_strictly,
)
from judges.protocol import Verdict
from tests.judges.methods.conftest import OpenQAEval


class TestReadFirstWord:
    @pytest.mark.parametrize(
        ("reply", "accepted"),
        [
            ("Yes, the candidate is correct.", True),
            ("“no” is my answer", False),
            ("NO", False),
            (" **Yes**", True),
            ("No, the candidate is correct.", False),
        ],
    )
    def test_takes_the_first_word(self, reply: str, accepted: bool) -> None:
        assert read_first_word(reply) == Verdict(accepted, raw_reply=reply)

    @pytest.mark.parametrize(
        "reply", ["Nothing is known.", "The candidate is partially correct.", "Yesterday", "Answer: no"]
    )
    def test_leaves_other_replies_unscored(self, reply: str) -> None:
        assert read_first_word(reply) == Verdict(None, unscored_reason="unparsable", raw_reply=reply)


class TestReadStrictly:
    @pytest.mark.parametrize(
        ("reply", "accepted"),
        [
            ("Yes", True),
            ("No, the candidate is not correct. The correct answer is 126.", False),
            ("No, the candidate is incorrect.", False),
            ("Yes, the candidate is correct. Another answer is incorrect.", True),
            ("Yes, the candidate isn't wrong.", True),
            ("No. The gold answer is correct.", False),
            ("No. The correct answer is: No.", False),
            ("Yes. The correct answer is no.", True),
            ("Yes, it was not right away, but in 1965.", True),
            ("Yes, it is wrong to say that he died in 1965; he lived.", True),
            ("No, right ventricular failure is another thing.", False),
            ("No, the candidate is incorrect. Verdict: No.", False),
            ("Yes, the initial answer, K'iche', is incorrect.", True),
            ("Yes. It cannot be determined when, but the place fits.", True),
        ],
    )
    def test_takes_the_first_word(self, reply: str, accepted: bool) -> None:
        assert read_strictly(reply) == Verdict(accepted, raw_reply=reply)

    @pytest.mark.parametrize(
        "reply",
        [
            "No, the candidate is correct.",
            "Yes. The candidate's answer is not correct.",
            "Yes, but this candidate is actually wrong.",
            "No: the AI-generated answer is indeed right.",
            "Yes and no.",
            "Yes/No",
            "No or yes, who knows",
            "Yes. The candidate answer is not fully correct.",
            "Yes. Final verdict: No",
            "Yes. The answer is incorrect.",
            "Yes, it names the band. Actually no, incorrect.",
            "Yes, incorrect.",
            "Yes, that's wrong.",
            "Yes\n\nNo",
            "Yes — wait, no.",
            "Yes. The candidate should not be considered correct.",
            "Yes. The response must be marked as incorrect.",
            "Yes. My verdict is: **incorrect**",
            "Yes. It fits the gold. So, not correct.",
            "No. On second thought, yes.",
            "No. The candidate's answer is not entirely wrong.",
            "No... Verdict: correct",
            "No, it is correct.",
        ],
    )
    def test_believes_no_reply_that_says_both(self, reply: str) -> None:
        assert read_strictly(reply) == Verdict(None, unscored_reason="contradictory", raw_reply=reply)

    @pytest.mark.parametrize(
        "reply",
        [
            "I cannot determine if the candidate is correct.",
            "There is not enough information to judge.",
            "It can't be verified.",
        ],
    )
    def test_tells_an_abstention(self, reply: str) -> None:
        assert read_strictly(reply).unscored_reason == "abstained"

    @pytest.mark.parametrize(
        "reply", ["The candidate is partially correct.", "Correct!", "The candidate provides a date."]
    )
    def test_leaves_the_rest_unscored(self, reply: str) -> None:
        assert read_strictly(reply).unscored_reason == "unparsable"


class TestReadAfterLastBar:
    def test_takes_the_end_of_the_chain(self) -> None:
        reply = "No date is given | it says 1840s | so the year fits. | Yes"
        assert read_after_last_bar(reply) == Verdict(True, raw_reply=reply)

    @pytest.mark.parametrize("reply", ["Yes", "I think so | ", "Yes | it fits"])
    def test_finds_none_elsewhere(self, reply: str) -> None:
        assert read_after_last_bar(reply) == Verdict(None, unscored_reason="unparsable", raw_reply=reply)


class TestThoughts:
    @pytest.mark.parametrize(
        ("reply", "parser", "accepted"),
        [
            ("<think>Is it? No …</think>\n\nYes", "strict", True),
            ("<think>Yes, yes.</think> No.", "first-word", False),
            (' <thinking>a</thinking>\n<think>b</think>{"verdict": "correct"}', "label", True),
            ("<think>a | No</think>Thoughts: it fits. | Verdict: Yes", "last-after-bar", True),
            ("Thoughts: it does not. | **Final verdict:** No", "last-after-bar", False),
        ],
    )
    def test_a_verdict_after_them_is_read_and_all_is_kept(
        self, reply: str, parser: str, accepted: bool
    ) -> None:
        read = read_reply(reply=reply, finish_reason="stop", parser=parser)
        assert (read.accepted, read.raw_reply) == (accepted, reply)

    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            ("<think>Yes", "unparsable"),
            ("No <think>x</think>yes", None),
            ("<think>Yes</think>", "empty_reply"),
        ],
    )
    def test_only_closed_ones_at_the_beginning_are_left_out(self, reply: str, reason: str | None) -> None:
        read = read_reply(reply=reply, finish_reason="stop", parser="first-word")
        assert read == Verdict(None if reason else False, unscored_reason=reason or "", raw_reply=reply)


class TestReadLabel:
    @pytest.mark.parametrize(
        ("label", "accepted"), [("correct", True), ("incorrect", False), ("not_attempted", False)]
    )
    def test_takes_a_label(self, label: str, accepted: bool) -> None:
        assert read_label(f'{{"verdict": "{label}"}}').accepted is accepted
        assert read_label(f'```json\n{{"verdict": "{label}"}}\n```').accepted is accepted

    def test_tells_an_abstention(self) -> None:
        assert read_label('{"verdict": "cannot_judge"}').unscored_reason == "abstained"

    @pytest.mark.parametrize(
        "reply",
        [
            "correct",
            "Yes",
            '"correct"',
            '["verdict", "correct"]',
            '[["verdict", "correct"]]',
            '{"verdict": "Correct"}',
            '{"verdict": true}',
            '{"verdict": ["correct"]}',
            '{"label": "correct"}',
            '{"verdict": "correct", "reason": "x"}',
            '{"verdict": "incorrect", "verdict": "correct"}',
            '{"verdict": "correct"} {"verdict": "incorrect"}',
            'The verdict is {"verdict": "correct"}',
            '{"verdict": "correct"',
            "[" * 100_000,
            "{}",
            "null",
        ],
    )
    def test_reads_nothing_else(self, reply: str) -> None:
        assert read_label(reply) == Verdict(None, unscored_reason="unparsable", raw_reply=reply)


class TestReadReply:
    @pytest.mark.parametrize("parser", READERS)
    @pytest.mark.parametrize("reply", ["Yes", "x | Yes", '{"verdict": "correct"}'])
    def test_believes_no_reply_that_was_cut_off(self, reply: str, parser: str) -> None:
        verdict = read_reply(reply=reply, finish_reason="length", parser=parser)
        assert verdict == Verdict(None, unscored_reason="truncated", raw_reply=reply)

    @pytest.mark.parametrize("parser", READERS)
    def test_tells_silence_and_a_filter(self, parser: str) -> None:
        assert read_reply(reply=" \n", finish_reason="stop", parser=parser).unscored_reason == "empty_reply"
        filtered = read_reply(reply="Yes", finish_reason="content_filter", parser=parser)
        assert filtered.unscored_reason == "filtered"


class TestOnOpenQAEval:
    """Counts: design notes on the released replies of Kamalloo et al. 2023."""

    def test_first_word_equals_the_column_of_davinci(self, openqa_eval: OpenQAEval) -> None:
        rows = openqa_eval.table("NQ301_text-davinci-003.tsv")
        assert sum(read_first_word(row[-1]).accepted is (row[-2] == "Yes") for row in rows) == 1490

    def test_first_word_equals_the_column_of_gpt4_but_for_nine(self, openqa_eval: OpenQAEval) -> None:
        rows = openqa_eval.table("NQ301_gpt-4.tsv")
        column = {"Yes": True, "No": False, "": None}
        equal = [row for row in rows if read_first_word(row[-1]).accepted is column[row[-2]]]
        assert Counter(row[-2] != "" for row in equal) == {True: 1479, False: 2}

    @pytest.mark.parametrize(
        ("name", "contradictory", "abstained"), [("NQ301_text-davinci-003", 0, 0), ("NQ301_gpt-4", 2, 2)]
    )
    def test_strict_takes_back_two_verdicts_only(
        self, openqa_eval: OpenQAEval, name: str, contradictory: int, abstained: int
    ) -> None:
        replies = [row[-1] for row in openqa_eval.table(f"{name}.tsv")]
        first, strict = list(map(read_first_word, replies)), list(map(read_strictly, replies))
        changed = [now for was, now in zip(first, strict, strict=True) if now.accepted is not was.accepted]
        assert len(changed) == contradictory
        assert all(each.raw_reply.startswith("No, the candidate is correct.") for each in changed)
        reasons = Counter(each.unscored_reason for each in strict)
        assert (reasons["contradictory"], reasons["abstained"]) == (contradictory, abstained)
