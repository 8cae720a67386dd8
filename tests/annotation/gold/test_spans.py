"""Short answers within long ones."""

import pytest

from annotation.gold.rules.spans import MOST_SPAN_WORDS, find_spans


class TestFindSpans:
    @pytest.mark.parametrize(
        ("question", "answer", "spans"),
        [
            (
                "where is the old mill",
                "The old mill is located in Hartfield, near the coast.",
                ("Hartfield",),
            ),
            ("who built the old mill", "The old mill was built by Ada Cole in 1932.", ("Ada Cole",)),
            ("who built the mill", "Ada Cole, an engineer, was who built the mill first.", ("Ada Cole",)),
            ("what does the shop deal with", "The shop deals with rare printed books.", ()),
            ("what is it made of", "light metal alloy (LMA)", ("light metal alloy", "LMA")),
            ("what is it made of", "light metal (since 1932)", ("light metal",)),
            ("where is it kept", "Hartfield, Sussex", ("Hartfield",)),
            ("who wrote it", "Hartfield, Sussex", ()),
            ("who came", "her cousin Ada", ("Ada",)),
            ("who came", "Ada", ()),
            ("who came", "", ()),
            ("who came", "()", ()),
        ],
    )
    def test_finds_what_a_gold_answer_would_say(
        self, question: str, answer: str, spans: tuple[str, ...]
    ) -> None:
        assert find_spans(question=question, answer=answer) == spans

    def test_finds_nothing_long(self) -> None:
        answer = "The old mill is known for the many fine wheels of oak that it has."
        assert all(
            len(span.split()) <= MOST_SPAN_WORDS
            for span in find_spans(question="what is the old mill known for", answer=answer)
        )
