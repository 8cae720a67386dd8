"""Fuzzy Match and its variant with synonyms: by hand, and on the released predictions."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from judges.methods.fuzzy.fuzzy_match import FuzzyMatch, FuzzyMatchOptions, best_ratio, fuzzy_form
from judges.methods.fuzzy.fuzzy_match_wordnet import (
    FuzzyMatchWordnet,
    FuzzyMatchWordnetOptions,
    with_synonyms,
)
from judges.methods.fuzzy.wordnet import LICENSE, VERSION, load_synonyms
from judges.protocol import JudgeInput
from judges.registry import JUDGES, make_judge
from tests.golden.gpt3qa import COUNTS


def _ratio(answer: str, *golds: str) -> float:
    score = FuzzyMatch(FuzzyMatchOptions()).judge([JudgeInput("q", answer, golds)])[0].score
    assert score is not None
    return score


def _accepts(answer: str, *golds: str, synonyms: str) -> bool | None:
    judge = FuzzyMatchWordnet(FuzzyMatchWordnetOptions(synonyms=synonyms))
    return judge.judge([JudgeInput("q", answer, golds)])[0].accepted


class TestFuzzyMatch:
    def test_is_the_share_of_letters_that_may_stay(self) -> None:
        # "lennon" in "john lennon": 5 of 6 + 11 letters must be inserted.
        assert _ratio("Lennon", "John Lennon") == pytest.approx(100 * (1 - 5 / 17))

    def test_ignores_accents_case_articles_and_punctuation(self) -> None:
        assert _ratio("The ZOË!", "zoe") == 100

    def test_takes_the_best_gold(self) -> None:
        assert _ratio("paris", "london", "Paris") == 100

    @pytest.mark.parametrize(("answer", "golds"), [("", ["x"]), ("the", ["the"]), ("x", []), ("x", ["the"])])
    def test_is_zero_where_nothing_remains(self, answer: str, golds: list[str]) -> None:
        assert _ratio(answer, *golds) == 0

    @pytest.mark.parametrize(("answer", "gold"), [("latitude", "altitude"), ("2010", "2016")])
    def test_accepts_too_much_as_published(self, answer: str, gold: str) -> None:
        assert _ratio(answer, gold) >= 63.3

    def test_accepts_from_its_threshold_on(self) -> None:
        item = JudgeInput("q", "Lennon", ("John Lennon",))
        assert FuzzyMatch(FuzzyMatchOptions(threshold=70.0)).judge([item])[0].accepted is True
        assert FuzzyMatch(FuzzyMatchOptions(threshold=71.0)).judge([item])[0].accepted is False

    @given(st.text(min_size=1), st.text(min_size=1))
    def test_equals_the_distance_it_is_made_of(self, one: str, other: str) -> None:
        one, other = fuzzy_form(one), fuzzy_form(other)
        if one and other:
            expected = 100 * (1 - Indel.distance(one, other) / (len(one) + len(other)))
            assert best_ratio(one, [other]) == pytest.approx(expected)


class TestFuzzyMatchWordnet:
    def test_accepts_a_synonym(self) -> None:
        assert _accepts("automobile", "car", synonyms="on") is True
        assert _accepts("automobile", "car", synonyms="off") is False

    def test_can_spare_yes_and_no(self) -> None:
        assert _accepts("true", "false", synonyms="on") is True
        assert _accepts("true", "false", synonyms="on-except-boolean") is False
        assert _accepts("automobile", "car", synonyms="on-except-boolean") is True

    def test_adds_synonyms_in_a_fixed_order(self) -> None:
        assert with_synonyms(["The car", "Car"], synonyms="off") == ("car",)
        assert with_synonyms(["car"], synonyms="on")[:3] == ("car", "auto", "automobile")


class TestTable:
    def test_has_the_sets_of_wordnet(self) -> None:
        table = load_synonyms()
        assert sum("\t" in line for line in table.lines) == 52_702
        assert table.knows("altitude")
        assert not table.knows("beatels")
        assert table.of("beatels") == set()

    def test_comes_with_its_licence(self) -> None:
        text = LICENSE.read_text(encoding="utf-8")
        assert f"WordNet {VERSION} Copyright 2011 by Princeton University" in text
        assert text.startswith("This software and database is being provided")

    def test_is_read_once(self) -> None:
        assert load_synonyms() is load_synonyms()


class TestOnGpt3qa:
    @pytest.mark.parametrize("name", COUNTS)
    def test_counts_as_published(self, gpt3qa: Callable[[str], list[JudgeInput]], name: str) -> None:
        keys = ("exact_match", "fuzzy_match", "fuzzy_match_wordnet")
        judges = [make_judge(JUDGES[key], {}) for key in keys]
        inputs = gpt3qa(name)
        counts = [sum(verdict.accepted is True for verdict in judge.judge(inputs)) for judge in judges]
        assert (len(inputs), tuple(counts)) == (100, COUNTS[name])
