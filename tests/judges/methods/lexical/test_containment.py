"""Containment: by hand, and the published figures of EVOUNA-NQ."""

from typing import Any, NamedTuple

import pytest

from judges.methods.lexical.containment import Containment, ContainmentOptions
from judges.protocol import JudgeInput, Verdict

ACCEPTED, REJECTED = Verdict(True, 1.0), Verdict(False, 0.0)


def _judge(answer: str, *golds: str, **options: str) -> Verdict:
    return Containment(ContainmentOptions(**options)).judge([JudgeInput("q", answer, golds)])[0]


class TestContainment:
    def test_accepts_a_gold_inside_the_answer(self) -> None:
        assert _judge("It was the Beatles, in 1962.", "Beatles") == ACCEPTED

    def test_is_not_bounded_by_words(self) -> None:
        assert _judge("in 11962", "1962") == ACCEPTED

    def test_does_not_accept_an_answer_inside_the_gold(self) -> None:
        assert _judge("Lennon", "John Lennon") == REJECTED

    def test_can_ask_for_equality(self) -> None:
        assert _judge("the Beatles", "Beatles", match="equal") == ACCEPTED
        assert _judge("Beatles in 1962", "Beatles", match="equal") == REJECTED

    def test_keeps_a_slash_unless_told_to_part(self) -> None:
        assert _judge("open 24 hours", "24/7") == REJECTED
        assert _judge("open 24 hours", "24/7", split="slash") == ACCEPTED

    def test_refuses_golds_of_which_nothing_remains(self) -> None:
        assert _judge("x", "The", "(") == Verdict(None, unscored_reason="empty_gold")
        assert _judge("x", "The", "y") == REJECTED

    def test_can_let_them_match_everything_as_published(self) -> None:
        assert _judge("x", "The", empty_gold="match") == ACCEPTED

    def test_rejects_where_there_is_no_gold(self) -> None:
        assert _judge("x") == REJECTED


class Figures(NamedTuple):
    accuracy: float
    macro_f1: float
    precision: float | None = None
    recall: float | None = None


class Confusion(NamedTuple):
    tp: int
    fn: int
    fp: int
    tn: int


def _confusion(rows: list[dict[str, Any]], system: str, match: str) -> Confusion:
    proper = [row for row in rows if not row["improper"] and isinstance(row[f"judge_{system}"], bool)]
    judge = Containment(ContainmentOptions(match=match, empty_gold="match", split="slash"))
    inputs = [
        JudgeInput(row["question"], row[f"answer_{system}"] or "", (row["golden_answer"] or "",))
        for row in proper
    ]
    said = [verdict.accepted for verdict in judge.judge(inputs)]
    pairs = [(row[f"judge_{system}"], accepted) for row, accepted in zip(proper, said, strict=True)]
    return Confusion(*map(pairs.count, ((True, True), (True, False), (False, True), (False, False))))


def _figures(counts: Confusion) -> Figures:
    tp, fn, fp, tn = counts
    macro = (2 * tp / (2 * tp + fp + fn) + 2 * tn / (2 * tn + fp + fn)) / 2
    return Figures(
        *(round(100 * share, 2) for share in ((tp + tn) / sum(counts), macro, tp / (tp + fp), tp / (tp + fn)))
    )


class TestOnEvouna:
    @pytest.mark.parametrize(
        ("system", "match", "published"),
        [
            ("fid", "equal", (86.85, 85.97, 99.70, 81.17)),
            ("fid", "contained", (89.70, 88.82)),
            ("gpt35", "contained", (84.70, 84.29, 99.54, 77.00)),
            ("chatgpt", "contained", (80.30, 78.22, 96.00, 76.18)),
            ("newbing", "contained", (82.28, 77.70, 97.57, 79.82)),
            ("gpt4", "contained", (82.55, 79.10, 99.68, 78.12)),
        ],
    )
    def test_equals_the_published_figures(
        self, evouna: list[dict[str, Any]], system: str, match: str, published: tuple[float, ...]
    ) -> None:
        figures = _figures(_confusion(evouna, system, match))[: len(published)]
        # 1690 of 1695 is 99.705: printed as 99.70.
        assert figures == pytest.approx(published, abs=0.011)

    def test_equals_what_the_paper_printed_for_gpt4(self, evouna: list[dict[str, Any]]) -> None:
        counts = _confusion(evouna[:500], "gpt4", "contained")
        assert sum(counts) == 380
        assert _figures(counts) == (83.16, 78.14, 99.60, 79.81)

    def test_counts_as_computed_for_fid(self, evouna: list[dict[str, Any]]) -> None:
        assert _confusion(evouna, "fid", "equal") == (1690, 392, 5, 933)

    def test_pools_to_the_computed_shares(self, evouna: list[dict[str, Any]]) -> None:
        columns = [
            ("fid", "equal"),
            *((name, "contained") for name in ("gpt35", "chatgpt", "gpt4", "newbing")),
        ]
        pooled = [
            sum(cells) for cells in zip(*(_confusion(evouna, *column) for column in columns), strict=True)
        ]
        assert sum(pooled) == 15_099
        assert [round(100 * cell / 15_099, 2) for cell in pooled] == [57.47, 15.76, 0.90, 25.86]
