"""Texts as words: numbers in one spelling, sentences, and where each word stands."""

import pytest

from judges.methods.learned.reading import MOST_LETTERS, is_year, read, stem


def words_in(text: str) -> list[str]:
    """Return what stands in the text where it was read to have words."""
    found = read(text)
    return [text[start:end] for start, end in zip(found.starts, found.ends, strict=True)]


class TestRead:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("Wilhelm Röntgen’s prize", ("wilhelm", "rontgen", "prize")),
            ("the U.S. Army", ("the", "usa", "army")),
            ("U. S. law, R. E. M.", ("usa", "law", "rem")),
            ("the United States", ("the", "usa")),
            ("built 1632–53, in the 90s", ("built", "1632", "1653", "in", "the", "1990")),
            ("1. 7 liters", ("1.7", "liters")),
            ("theThames", ("the", "thames")),
            ("twenty five years", ("25", "years")),
            ("5 million, 1,200 and 2.50", ("5000000", "1200", "and", "2.5")),
            ("the 5th of Sept 1901", ("the", "5", "of", "september", "1901")),
            ("it may rain", ("it", "may", "rain")),
            ("won once, lost twice", ("won", "1", "lost", "2")),
            ("Louis XIV and Part II", ("louis", "xiv", "and", "part", "2")),
            ("…?!", ()),
            ("", ()),
        ],
    )
    def test_spells_each_word_in_one_way(self, text: str, words: tuple[str, ...]) -> None:
        assert read(text).words == words

    def test_knows_where_words_stand(self) -> None:
        text = "He won. In “1901”, twenty five won."
        assert words_in(text) == ["He", "won", "In", "1901", "twenty five", "won"]
        found = read(text)
        assert found.sentences == (0, 0, 1, 1, 1, 1)
        assert found.numbers == (3, 4)
        assert [found.words[place] for place in found.numbers] == ["1901", "25"]

    def test_reads_no_further_than_it_says(self) -> None:
        assert len(read("a " * MOST_LETTERS).words) == MOST_LETTERS / 2

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("in Paris1.", ("in", "paris")),
            ("on June 19, 20181.", ("on", "june", "19", "2018")),
            ("Peter Gardner[4] Ostrum", ("peter", "gardner", "ostrum")),
            ("it cost $15000. Rest", ("it", "cost", "15000", "rest")),
            ("a Boeing747 flew", ("a", "boeing", "747", "flew")),
        ],
    )
    def test_leaves_out_numbers_of_footnotes(self, text: str, words: tuple[str, ...]) -> None:
        assert read(text).words == words

    def test_marks_the_word_before_a_footnote_without_it(self) -> None:
        assert words_in("in Paris1, 20181.") == ["in", "Paris", "2018"]

    def test_tells_decades_from_years(self) -> None:
        found = read("from 1920 to the 1930s and the 40s")
        assert [found.words[place] for place in found.decades] == ["1930", "1940"]


class TestStem:
    @pytest.mark.parametrize(
        ("one", "other"), [("cities", "city"), ("churches", "church"), ("dogs", "dog"), ("filmed", "filming")]
    )
    def test_is_one_for_forms_of_a_word(self, one: str, other: str) -> None:
        assert stem(one) == stem(other)

    @pytest.mark.parametrize("word", ["bus", "class", "1960s", "sing", "red"])
    def test_leaves_words_that_only_look_like_forms(self, word: str) -> None:
        assert stem(word) == word


class TestIsYear:
    def test_takes_four_digits_of_our_time(self) -> None:
        assert [is_year(text) for text in ("1901", "2099", "0999", "2100", "19", "5.25")] == [
            *(True, True, False, False, False, False)
        ]
