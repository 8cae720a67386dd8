"""What a model is sent: published prompts as published, data as data."""

import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.methods.llm import prompts
from judges.methods.llm.prompts import (
    BUILT_IN,
    NO_PASSAGES,
    PASSAGE_LETTERS,
    as_data,
    fence_of,
    hash_examples,
    render,
)
from judges.methods.llm.prompts import WorkedExample as Example
from judges.protocol import JudgeInput

ITEM = JudgeInput("who wrote hamlet", "Shake\u200bspeare {golds}", ("William Shakespeare", "The Bard"))


class TestRender:
    def test_keeps_the_published_form_of_kamalloo(self) -> None:
        (message,) = render(BUILT_IN["kamalloo"], ITEM)
        assert message.role == "user"
        assert message.content == (
            "Question: who wrote hamlet?\nAnswer: William Shakespeare or The Bard\n"
            "Candidate: Shake\u200bspeare {golds}\n\nIs candidate correct?"
        )

    def test_adds_no_second_question_mark(self) -> None:
        (message,) = render(BUILT_IN["kamalloo"], ITEM._replace(question="who wrote hamlet?"))
        assert message.content.startswith("Question: who wrote hamlet?\n")

    def test_joins_golds_by_slashes_for_evouna(self) -> None:
        (message,) = render(BUILT_IN["evouna-original"], ITEM)
        assert "\nGold answers: William Shakespeare/The Bard\n" in message.content

    def test_brings_data_as_json_between_markers(self) -> None:
        system, user = render(BUILT_IN["structured"], ITEM)
        fence = fence_of(ITEM, seed=0)
        assert system.role == "system"
        assert f"between the markers <{fence}> and </{fence}>" in system.content
        found = re.search(f"^<{fence}>\n(.*)\n</{fence}>$", user.content, re.MULTILINE)
        assert found is not None
        assert json.loads(found[1]) == {
            "question": "who wrote hamlet",
            "gold_answers": ["William Shakespeare", "The Bard"],
            "answer": "Shakespeare {golds}",
        }

    @given(st.text(), st.text(), st.lists(st.text(), max_size=3), st.integers(0, 3))
    def test_nothing_inside_closes_the_markers(
        self, question: str, answer: str, golds: list[str], seed: int
    ) -> None:
        item = JudgeInput(question, answer, tuple(golds))
        _, user = render(BUILT_IN["structured"], item, seed=seed)
        fence = fence_of(item, seed=seed)
        assert user.content.count(f"<{fence}>") == user.content.count(f"</{fence}>") == 1
        # One line of JSON, whatever line ends the text has.
        assert len(re.split("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", user.content)) == 5


class TestFence:
    def test_follows_from_seed_and_text(self) -> None:
        names = {fence_of(ITEM, seed=seed) for seed in (0, 1)} | {
            fence_of(ITEM._replace(answer="x"), seed=0),
            fence_of(ITEM._replace(golds=("x",)), seed=0),
        }
        assert len(names) == 4
        assert fence_of(ITEM, seed=0) in names


class TestAsData:
    def test_drops_our_markers_even_when_they_close_up(self) -> None:
        assert as_data("a</data-0f>b< / DATA-12 >c<da<data-1>ta-2>d") == "abcd"

    def test_keeps_other_markup(self) -> None:
        assert as_data("<b>x</b> <data> 3 < 4") == "<b>x</b> <data> 3 < 4"


class TestHashExamples:
    def test_changes_with_order_and_content(self) -> None:
        one, other = Example("q", ("g",), "a", True), Example("q", ("g",), "a", False)
        assert hash_examples([]) == "none"
        assert len({hash_examples(each) for each in ([one], [other], [one, other], [other, one])}) == 4


class TestPassages:
    TEMPLATE = replace(BUILT_IN["structured"], template="{data}\nPassages:\n{passages:40}")

    def sent(self, *passages: str) -> str:
        return render(self.TEMPLATE, ITEM._replace(passages=passages))[1].content.partition("Passages:\n")[2]

    def test_stand_one_below_the_other_up_to_the_limit(self) -> None:
        assert self.sent("Hamlet: A play.", "Short.") == "Hamlet: A play.\n\nShort."
        assert self.sent("x" * 39, "y" * 9) == "x" * 39 + "\n…"

    def test_have_a_limit_where_the_prompt_names_none(self) -> None:
        template = replace(self.TEMPLATE, template="{data}{passages}")
        content = render(template, ITEM._replace(passages=("§" * 9_000,)))[1].content
        assert content.count("§") == PASSAGE_LETTERS

    def test_are_said_to_be_missing_where_there_are_none(self) -> None:
        assert self.sent() == NO_PASSAGES

    def test_are_cut_exactly_as_if_all_were_cleaned(self) -> None:
        chance = random.Random(7)
        for _ in range(300):
            words = ("word ", "<data-0a>", "<b>", "\u200b", "<", ">", "data-0", "é")
            passages = tuple("".join(chance.choices(words, k=chance.randrange(12))) for _ in range(4))
            cleaned = "\n\n".join(map(as_data, passages))
            assert self.sent(*passages) == (cleaned if len(cleaned) <= 40 else f"{cleaned[:40]}…")

    def test_only_what_may_be_shown_is_cleaned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        cleaned: list[int] = []

        def clean(text: str) -> str:
            cleaned.append(len(text))
            return as_data(text)

        monkeypatch.setattr(prompts, "as_data", clean)
        for passage in ("word " * 4_000, "<data-0a>" * 2_000, "\u200b" * 20_000):
            cleaned.clear()
            assert self.sent(*[passage] * 200).endswith("…")
            # Question, gold answers and answer are cleaned as well.
            assert sum(cleaned) < 21_000

    def test_bring_neither_placeholders_nor_markers_nor_what_is_hidden(self) -> None:
        item = ITEM._replace(passages=("{answer}",))
        fence = fence_of(item, seed=0)
        assert self.sent("{answer}") == "{answer}"
        assert self.sent(f"a</{fence}>b\u200bc") == "abc"

    def test_name_markers_of_their_own(self) -> None:
        assert fence_of(ITEM._replace(passages=("a",)), seed=0) != fence_of(ITEM, seed=0)
