import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.items.formats.registry import FORMATS
from annotation.items.rules import (
    Named,
    OptionError,
    checked_options,
    draw,
    match_rows,
    plain_names,
    pool_hash,
)

GENERIC = FORMATS["generic"]


class TestPoolHash:
    @pytest.mark.parametrize(
        ("pooling", "same"),
        [
            ("exact", [False, False, False]),
            ("casefold", [True, False, False]),
            ("normalized", [True, True, True]),
        ],
    )
    def test_it_is_equal_for_what_is_pooled(self, pooling: str, same: list[bool]) -> None:
        first = pool_hash("The Beatles", pooling=pooling)
        others = ["the beatles", "Beatles", "the  Beatles!"]
        assert [pool_hash(text, pooling=pooling) == first for text in others] == same

    def test_answers_of_which_nothing_remains_are_not_one_answer(self) -> None:
        assert pool_hash("The", pooling="normalized") != pool_hash("?", pooling="normalized")


class TestDraw:
    KEYS = [f"question {number}" for number in range(50)]

    def test_it_repeats_itself_whatever_the_order(self) -> None:
        drawn = draw(keys=self.KEYS, size=10, seed=7)
        assert len(drawn) == 10
        assert drawn == draw(keys=reversed(self.KEYS), size=10, seed=7)
        assert drawn != draw(keys=self.KEYS, size=10, seed=8)

    def test_a_larger_sample_holds_the_smaller_one(self) -> None:
        assert draw(keys=self.KEYS, size=10, seed=7) < draw(keys=self.KEYS, size=11, seed=7)


class TestMatchRows:
    def known(self, *texts: str) -> list[Named]:
        return [Named(number, text) for number, text in enumerate(texts)]

    def test_the_exact_string_comes_first(self) -> None:
        assert match_rows(answers=["PARIS", "Paris"], known=self.known("Paris", "PARIS")) == [1, 0]

    def test_case_and_form_come_next(self) -> None:
        assert match_rows(answers=["20%", "the paris"], known=self.known("Paris", "20%")) == [1, 0]

    def test_a_row_that_was_altered_takes_the_place_that_is_left(self) -> None:
        known = self.known("557", "558", "559")
        assert match_rows(answers=["557", "July 11 1901", "559"], known=known) == [0, 1, 2]

    def test_nothing_is_guessed_where_the_numbers_differ(self) -> None:
        assert match_rows(answers=["x"], known=self.known("a", "b")) == [None]

    def test_a_row_that_stands_twice_has_two_answers(self) -> None:
        assert match_rows(answers=["a", "a"], known=self.known("a", "a")) == [0, 1]

    @given(st.lists(st.text(max_size=3), max_size=6), st.lists(st.text(max_size=3), max_size=6))
    def test_no_answer_is_given_twice(self, answers: list[str], texts: list[str]) -> None:
        found = [each for each in match_rows(answers=answers, known=self.known(*texts)) if each is not None]
        assert len(found) == len(set(found))


class TestPlainNames:
    def test_what_all_names_share_is_left_out(self) -> None:
        asked = {"NQ_DPR_run1": 3, "NQ_FiD-KD_run1": 3}
        assert plain_names(asked) == {"NQ_DPR_run1": "DPR", "NQ_FiD-KD_run1": "FiD-KD"}

    def test_a_sample_of_a_data_set_is_known_by_its_size(self) -> None:
        asked = {"NQ_DPR": 3610, "NQ301_GPT": 301}
        assert plain_names(asked) == {"NQ_DPR": "DPR", "NQ301_GPT": "GPT"}

    @pytest.mark.parametrize(
        "asked",
        [
            {},
            {"NQ_DPR": 3},
            # Numbers that are no size tell systems apart.
            {"GPT4_chat": 3, "GPT35_text": 3},
            {"gpt-3.5": 3, "gpt-4": 3},
            # A size alone is no name.
            {"llama_7b": 3, "llama_13b": 3},
            {"NQ_DPR": 3610, "NQ301_DPR": 301},
            {"NQ": 3, "NQ_DPR": 3},
            {"DPR": 3, "FiD": 3},
        ],
    )
    def test_names_stay_whole_where_they_would_be_alike_or_none(self, asked: dict[str, int]) -> None:
        assert plain_names(asked) == {name: name for name in asked}

    def test_a_name_that_another_system_has_is_not_given_again(self) -> None:
        asked = {"TQ_DPR": 3, "TQ_FiD": 3}
        assert plain_names(asked, taken={"DPR"}) == {"TQ_DPR": "TQ_DPR", "TQ_FiD": "FiD"}

    @given(st.dictionaries(st.text("ab_1", min_size=1, max_size=8), st.integers(1, 3), max_size=6))
    def test_no_two_systems_are_called_alike_and_none_has_no_name(self, asked: dict[str, int]) -> None:
        shown = plain_names(asked)
        assert set(shown) == set(asked)
        assert len(set(shown.values())) == len(asked)
        assert all(shown.values())


class TestCheckedOptions:
    def test_defaults_are_filled_in(self) -> None:
        options = checked_options(GENERIC, {"mojibake": "repair"}, GENERIC.options)
        assert (options["mojibake"], options["list_prediction"]) == ("repair", "first")

    @pytest.mark.parametrize(
        "options",
        [
            *({"colour": "red"}, {"mojibake": "maybe"}, {"map": {"a": "colour"}}, {"map": ["a"]}),
            *({"dataset": 5}, {"system": True}, {"dataset": None}, {"system": ["a"]}),
        ],
    )
    def test_what_the_format_does_not_have_is_refused(self, options: dict[str, object]) -> None:
        with pytest.raises(OptionError):
            checked_options(GENERIC, options, GENERIC.options)
