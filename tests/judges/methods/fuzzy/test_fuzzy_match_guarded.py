"""The guarded Fuzzy Match: what numbers, dates, yes and no, other words and denials forbid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.text import question_key
from judges.methods.fuzzy.fuzzy_match_guarded import FuzzyMatchGuarded, FuzzyMatchGuardedOptions, read_words
from judges.protocol import JudgeInput
from tests.judges.methods.conftest import OpenQAEval

JUDGE = FuzzyMatchGuarded(FuzzyMatchGuardedOptions())


def _accepts(answer: str, *golds: str) -> bool | None:
    return JUDGE.judge([JudgeInput("q", answer, golds)])[0].accepted


class TestNumbers:
    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("2010", "2016"),
            ("11962", "1962"),
            ("1960s", "1960"),
            ("3.5 million", "3 million"),
            ("110 million", "10 million"),
            ("Henry VIII", "Henry VII"),
            ("World War II", "World War I"),
            ("World War I", "World War II"),
            ("Apollo 11 mission", "Apollo 13 mission"),
            ("version", "version 2"),
            ("40", "-40"),
            ("It fell to -40 degrees.", "40"),
        ],
    )
    def test_must_agree(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is False

    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("It was released in 2016.", "2016"),
            ("840000", "840,000"),
            ("five million people", "5,000,000"),
            ("twenty-five", "25"),
            ("the fifth", "5th"),
            ("World War 2", "World War II"),
            ("seven", "7"),
            ("It fell to -89.2 degrees.", "\N{MINUS SIGN}89.2"),
            ("minus 2,500,000", "-2.5 million"),
            ("from 1939 to 1945", "1939-1945"),
        ],
    )
    def test_are_equal_however_spelled(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is True


class TestDates:
    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("12 June 1990", "12 May 1990"),
            ("12 May 1990", "13 May 1990"),
            ("1972", "14 December 1972"),
            ("March 26, 2018", "May 7, 2018"),
            ("September 1999", "September 30, 1999"),
            ("Of 12 May 7 people remember anything", "May 7"),
        ],
    )
    def test_must_agree(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is False

    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("May 12, 1990", "12 May 1990"),
            ("1990-05-12", "12 May 1990"),
            ("12 Sept. 1990", "September 12, 1990"),
            ("It ended on 14 December 1972 at sea.", "14 December 1972"),
            ("14 December 1972", "December 1972"),
            ("It was on September 30, 1999.", "September 1999"),
            ("He was born on May 12, 1990, in Rome.", "12 May 1990"),
            ("He was born on 12 May 1990, in Rome.", "May 12, 1990"),
            ("They met on the 12th of May", "12 May"),
        ],
    )
    def test_are_equal_however_written(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is True

    def test_leave_may_and_march_alone_outside_dates(self) -> None:
        assert [word.fact for word in read_words("they may march on 5 May")] == ["", "", "", "", "5", "may"]


class TestBooleans:
    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("no", "yes"),
            ("No, it is not true.", "yes"),
            ("untrue", "true"),
            ("not true", "true"),
            ("Nobody knows.", "no"),
            ("no", "Nob"),
            ("true or false", "true"),
            ("That isn't true.", "yes"),
            ("This is not entirely correct.", "yes"),
            ("I do not think that this is true", "true"),
            ("No one knows.", "no"),
            ("I have no idea", "no"),
        ],
    )
    def test_must_agree(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is False

    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("Yes.", "yes"),
            ("Yes, it is not false.", "true"),
            ("That is not true.", "no"),
            ("This is false", "false"),
            ("I don't think this is correct.", "no"),
            ("It is not only true but well known", "yes"),
            ("That is not what they say, but it is true", "yes"),
        ],
    )
    def test_are_read_from_sentences(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is True


class TestOtherWords:
    @pytest.mark.parametrize(
        ("answer", "gold"),
        [("latitude", "altitude"), ("the latitude of a place", "altitude"), ("Lenin", "Lennon")],
    )
    def test_are_no_misspellings(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is False

    @pytest.mark.parametrize(
        ("answer", "gold"),
        [("Beatels", "Beatles"), ("colour", "color"), ("walking", "walk"), ("Zoë Saldaña", "Zoe Saldana")],
    )
    def test_are_not_meant_by_misspellings_synonyms_and_inflections(self, answer: str, gold: str) -> None:
        assert _accepts(answer, gold) is True


class TestDenials:
    @pytest.mark.parametrize(
        "answer",
        [
            "It was not written by Paul McCartney but by John Lennon.",
            "not Paul McCartney",
            "It wasn't Paul McCartney",
        ],
    )
    def test_turn_an_answer_round(self, answer: str) -> None:
        assert _accepts(answer, "Paul McCartney") is False

    @pytest.mark.parametrize(
        "answer",
        [
            "It was not John Lennon but Paul McCartney.",
            "Not John. Paul McCartney wrote it.",
            "No, Paul McCartney",
            "It was not only Paul McCartney.",
        ],
    )
    def test_reach_no_further_than_their_clause(self, answer: str) -> None:
        assert _accepts(answer, "Paul McCartney") is True

    def test_count_only_where_the_gold_has_none(self) -> None:
        assert _accepts("Never Let Me Go", "Never Let Me Go") is True


class TestSentences:
    def test_are_searched_for_the_gold(self) -> None:
        answer = (
            "The song was written and first sung by John Lennon, in the winter, at his house in Weybridge."
        )
        assert _accepts(answer, "John Lennon") is True
        assert _accepts(answer, "Paul McCartney") is False

    @pytest.mark.parametrize(("answer", "golds"), [("", ["x"]), ("the", ["the"]), ("x", []), ("x", ["the"])])
    def test_of_nothing_score_nothing(self, answer: str, golds: list[str]) -> None:
        verdict = JUDGE.judge([JudgeInput("q", answer, tuple(golds))])[0]
        assert (verdict.accepted, verdict.score) == (False, 0.0)

    @given(st.text(max_size=60), st.text(max_size=30))
    def test_of_any_text_have_a_score(self, answer: str, gold: str) -> None:
        score = JUDGE.judge([JudgeInput("q", answer, (gold,))])[0].score
        assert score is not None
        assert 0 <= score <= 100


class TestOnOpenQAEval:
    def test_agrees_with_people_more_often_than_without_guards(self, openqa_eval: OpenQAEval) -> None:
        golds = openqa_eval.golds()
        batch = [JudgeInput(row[1], row[2], golds[question_key(row[1])]) for row in openqa_eval.votes]
        said = [verdict.accepted for verdict in JUDGE.judge(batch)]
        pairs = list(zip((row[3] == "Yes" for row in openqa_eval.votes), said, strict=True))
        counts = [pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
        assert counts == [558, 258, 47, 627]
