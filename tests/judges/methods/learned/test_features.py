"""Features: what each group sees, and that they are numbers whatever the texts are."""

import math
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.methods.learned.features.measures import feature_names, measure
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

    @pytest.mark.parametrize(
        ("answer", "gold", "holds"),
        [
            ("in the 1920s", "1926", 1.0),
            ("in the late 1920s", "1926", 1.0),
            ("in the early 1920s", "1926", 0.0),
            ("in the 16th century", "1524", 1.0),
            ("in 1930", "1926", 0.0),
        ],
    )
    def test_sees_a_year_within_a_decade_or_century(self, answer: str, gold: str, holds: float) -> None:
        assert features(answer, gold)["period_holds"] == holds

    def test_sees_a_date_that_one_of_the_golds_denies(self) -> None:
        golds = ("1788", "18 January 1788")
        other, same = features("January 26, 1788", *golds), features("on 18 January 1788", *golds)
        assert other["dates_differ"] == other["dates_differ_beside_year"] == same["dates_equal"] == 1.0
        assert same["dates_differ"] == 0.0
        assert features("in 1788", *golds)["dates_year_only"] == 1.0
        assert features("in January 1788", *golds)["dates_month_only"] == 1.0

    def test_sees_what_another_gold_wants_and_amounts_that_are_near(self) -> None:
        assert features("Gutenberg in 1440", "1439", "Gutenberg")["golds_years_missed_beside"] == 1.0
        near = features("2,634 stores", "2,630", "almost 3,000 stores")
        assert (near["golds_numbers_near"], near["golds_numbers_about"]) == (1.0, 1.0)

    def test_sees_a_year_within_the_golds_decade(self) -> None:
        assert features("in 1931", "the 1930s")["period_held"] == 1.0


class TestNames:
    def test_takes_a_people_for_its_country(self) -> None:
        assert features("the Norwegian team", "Norway")["synonyms"] == 1.0
        assert features("the United States", "America")["synonyms"] == 1.0

    def test_tells_another_name_in_the_place_of_one_from_none(self) -> None:
        replaced, dropped = (
            features("Shawnee, Oklahoma", "Woodward, Oklahoma"),
            features("Rogers", "Tom Rogers"),
        )
        assert replaced["replaced"] > 0 == replaced["dropped"]
        assert dropped["dropped"] > 0 == dropped["replaced"]

    def test_knows_what_a_question_is_strict_about(self) -> None:
        found = features("Paul", "Paul Newman", question="who played him in the film")
        assert found["lacking_show"] == found["lacking_who"] == pytest.approx(0.5)


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
        assert len(set(feature_names())) == len(feature_names())
        assert 115 <= len(feature_names()) <= 190

    def test_are_the_same_in_every_process(self) -> None:
        # Sets have another order in each: sums that follow it differ in their last digits, and so do weights.
        # The test's own imports would take most of a process's time.
        code = (
            "from judges.methods.learned.features.measures import measure;"
            "from judges.methods.learned.features.texts import Rarity, prepare;"
            "from judges.methods.learned.reading import read;"
            "question = prepare('who was it', ['the disputed 1824 presidential election'], Rarity({}, 5.0));"
            "print(list(measure(question, read('the disputed election of 1824')).values()))"
        )
        found = {
            subprocess.run(
                [sys.executable, "-c", code],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert len(found) == 1

    @given(
        st.text(max_size=60),
        st.lists(st.text(max_size=30), min_size=1, max_size=3),
        st.text(max_size=200),
    )
    def test_are_finite_for_any_text(self, question: str, golds: list[str], answer: str) -> None:
        prepared = prepare(question, golds, RARITY)
        if prepared.golds:
            found = measure(prepared, read(answer))
            assert tuple(found) == feature_names()
            assert all(math.isfinite(value) for value in found.values())

    def test_leave_out_golds_without_a_word(self) -> None:
        assert prepare("who", ("?!", ""), RARITY).golds == ()
