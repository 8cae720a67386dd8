"""Other writings of an answer, as regular expressions that RE2 searches answers for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.text import compile_pattern, search_any
from annotation.gold.rules.patterns import MOST_TOKENS, Family, find_pattern
from annotation.gold.rules.vocabulary import LARGEST_SPELLED, read_spelled_number, spell_number

WHO = "who led the second expedition"
WHEN = "when did it open"
WHERE = "where is it kept"


def takes(question: str, answer: str, other: str) -> bool:
    found = find_pattern(question=question, answer=answer)
    assert found is not None
    return search_any((found.regex,), other).is_found


class TestFindPattern:
    @pytest.mark.parametrize(
        ("question", "answer", "same", "others"),
        [
            (
                WHEN,
                "14 May 1932",
                ["May 14, 1932", "may 14th 1932", "1932-05-14", "on the 14th of May, 1932", "14 May, 1932."],
                ["15 May 1932", "14 May 1933", "May 1932", "1932", "4 May 1932", "14 March 1932"],
            ),
            (WHEN, "1932-05-14", ["14 May 1932", "May 14, 1932"], ["1932-05-15", "1932"]),
            (WHEN, "Sept. 3", ["September 3", "3 september", "sep 3rd"], ["September 30", "3 August"]),
            (
                WHEN,
                "18 to 20 June 1911",
                ["18–20 June 1911", "18 - 20 june 1911"],
                ["1820 June 1911", "18 June"],
            ),
            (WHEN, "1932", ["in 1932", "around 1932."], ["1933", "193 2", "11932"]),
            (
                "how many are there",
                "twelve",
                ["12", "about twelve", "Twelve."],
                ["112", "twenty", "twelve hundred"],
            ),
            (
                "how many are there",
                "1,250",
                ["1250", "1 250", "one thousand two hundred and fifty"],
                ["125", "12,50", "11,250"],
            ),
            ("how many doors has it", "twelve doors", ["12", "12 doors"], ["12 windows"]),
            ("which place did they take", "third", ["3rd"], ["third row", "13th"]),
            ("how long is it", "3.5 km", ["3.5 kilometers", "3. 5 kilometre"], ["35 km", "3.5 m", "3.6 km"]),
            ("how heavy is it", "40 percent", ["40 per cent", "40%"], ["40 degrees"]),
            (
                WHO,
                "Ada B. Cole",
                ["Ada Cole", "Ada Bertha Cole", "Dr. Ada B Cole", "the British explorer Ada Cole"],
                ["Ada", "Cole", "Bertha Cole", "Ada Cole Moss", "Adam Cole"],
            ),
            (WHO, "General Ada Bertha Cole", ["Ada Cole", "Ada B. Cole"], ["General Cole", "Ada C. Cole"]),
            (WHO, "Dáno Ruiz", ["Dano Ruiz", "DÁNO RUIZ", "Dáno Ruiz, his uncle"], ["Dan Ruiz"]),
            (WHERE, "in the t-shaped hall", ["the t - shaped hall", "T shaped hall"], ["the hall"]),
            ("what river runs there", "Orb", ["the Orb River", "orb"], ["Orbs", "Orb Valley"]),
            (WHERE, "the United States", ["US", "in the U.S.A.", "united states of America"], ["states"]),
        ],
    )
    def test_takes_other_writings_and_nothing_else(
        self, question: str, answer: str, same: list[str], others: list[str]
    ) -> None:
        assert [each for each in [answer, *same] if not takes(question, answer, each)] == []
        assert [each for each in others if takes(question, answer, each)] == []

    def test_is_named_for_what_may_be_written_another_way(self) -> None:
        families = {
            answer: found.family
            for answer in ("14 May 1932", "twelve", "many km", "Ada Cole", "t-shaped")
            if (found := find_pattern(question=WHO if answer == "Ada Cole" else WHEN, answer=answer))
        }
        assert families == {
            "14 May 1932": Family.DATE,
            "twelve": Family.NUMBER,
            "many km": Family.UNIT,
            "Ada Cole": Family.NAME,
            "t-shaped": Family.SPELLING,
        }

    def test_does_not_leave_out_a_middle_name_of_something_that_is_no_person(self) -> None:
        assert not takes(WHERE, "Ada Bertha Cole", "Ada Cole")

    @pytest.mark.parametrize("answer", ["", "...", "  ", "word " * (MOST_TOKENS + 1)])
    def test_finds_none_for_nothing_and_for_sentences(self, answer: str) -> None:
        assert find_pattern(question=WHEN, answer=answer) is None

    def test_is_not_found_on_one_line_of_several(self) -> None:
        assert not takes(WHEN, "1932", "1932\nno, later")

    @given(answer=st.text(max_size=60), question=st.sampled_from([WHO, WHEN, WHERE, "what town is it"]))
    def test_matches_the_answer_it_is_made_of_and_its_examples(self, answer: str, question: str) -> None:
        found = find_pattern(question=question, answer=answer)
        if found is None:
            return
        compile_pattern(found.regex)
        for example in found.examples:
            assert search_any((found.regex,), example).is_found


class TestSpelledNumbers:
    @given(st.integers(min_value=0, max_value=LARGEST_SPELLED))
    def test_are_read_as_they_are_written(self, value: int) -> None:
        words = spell_number(value).split()
        assert read_spelled_number([*words, "gold", "coins"]) == (value, len(words))

    def test_end_where_no_number_goes_on(self) -> None:
        assert read_spelled_number(["nineteen", "ninety"]) == (19, 1)
        assert read_spelled_number(["hundred"]) is None
        assert read_spelled_number(["two", "hundred", "and", "gold"]) == (200, 2)
        assert read_spelled_number(["two", "hundred", "and", "five"]) == (205, 4)
