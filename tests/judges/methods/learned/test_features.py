"""Features: what each group sees, and that they are numbers whatever the texts are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.methods.learned.features.measures import FEATURES, measure
from judges.methods.learned.features.texts import Rarity, prepare
from judges.methods.learned.reading import read

RARITY = Rarity({"common": 1.0}, 5.0)


def features(answer: str, *golds: str, question: str = "who was it") -> dict[str, float]:
    return measure(prepare(question, golds, RARITY), read(answer))


class TestOverlap:
    def test_sees_an_equal_answer(self) -> None:
        found = features("The Beatles", "Beatles")
        assert found["is_equal"] == found["recall_new"] == found["precision_new"] == 1.0

    def test_weighs_what_is_not_in_the_question(self) -> None:
        found = features("the tower", "Millennium Tower", question="which tower sinks")
        assert (found["recall"], found["recall_new"]) == (0.5, 0.0)

    def test_weighs_rare_words_more(self) -> None:
        assert features("rarity", "common rarity")["recall_idf"] == pytest.approx(5 / 6)

    def test_tells_words_from_letters(self) -> None:
        found = features("in 11962", "1962")
        assert (found["contained"], found["contained_words"]) == (1.0, 0.0)

    def test_finds_misspelt_words_and_other_names(self) -> None:
        assert features("Jonas Salc", "Salk")["recall_new_soft"] > 0.7
        assert features("it was the car", "automobile")["synonyms"] == 1.0

    def test_describes_the_nearest_of_several_golds(self) -> None:
        found = features("Paul", "John", "Paul", "George")
        assert found["is_equal"] == 1.0
        assert found["golds_full_share"] == pytest.approx(1 / 3)

    def test_says_where_the_gold_stands(self) -> None:
        early = features("Salk did it. Then rest.", "Salk")
        late = features("It began. Then came Salk.", "Salk")
        assert early["in_first_sentence"] > late["in_first_sentence"]
        assert early["at_share"] < late["at_share"]


class TestNumbers:
    def test_sees_another_number_in_the_place_of_the_right_one(self) -> None:
        assert features("in 1963", "1962")["numbers_contradict"] == 1.0
        assert features("in 1962", "1962")["numbers_contradict"] == 0.0

    def test_compares_day_and_month(self) -> None:
        found = features("September 14, 2004", "September 12, 2004")
        assert (found["month_equal"], found["day_equal"], found["day_differs"]) == (1.0, 0.0, 1.0)

    def test_knows_the_century_of_a_year(self) -> None:
        assert features("957 BC", "the 10th century BC")["century_equal"] == 1.0
        assert features("957 BC", "the 10th century")["era_differs"] == 1.0


class TestDenial:
    def test_sees_a_denial_before_the_gold(self) -> None:
        assert features("It was not Salk", "Salk")["denied_before"] == 1.0
        assert features("It was Salk. Not bad.", "Salk")["denied_clause"] == 0.0

    def test_sees_refusals_and_hedges(self) -> None:
        found = features("I’m sorry, I do not have information. Perhaps Salk.", "Salk")
        assert found["refusals"] > 0
        assert found["hedges"] > 0

    def test_compares_yes_and_no(self) -> None:
        found = features("No, it is not.", "yes", question="is it red")
        assert (found["yes_agrees"], found["yes_differs"]) == (0.0, 1.0)


class TestFeatures:
    def test_are_named_once_and_as_many_as_the_page_says(self) -> None:
        assert len(set(FEATURES)) == len(FEATURES)
        assert 115 <= len(FEATURES) <= 170

    @given(
        st.text(max_size=60),
        st.lists(st.text(max_size=30), min_size=1, max_size=3),
        st.text(max_size=200),
    )
    def test_are_finite_for_any_text(self, question: str, golds: list[str], answer: str) -> None:
        prepared = prepare(question, golds, RARITY)
        if prepared.golds:
            found = measure(prepared, read(answer))
            assert tuple(found) == FEATURES
            assert all(math.isfinite(value) for value in found.values())

    def test_leave_out_golds_without_a_word(self) -> None:
        assert prepare("who", ("?!", ""), RARITY).golds == ()
