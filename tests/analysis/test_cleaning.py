"""What cleaning drops and, more important, what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.text import clean_answer

VENUS = (
    "The revolution period of Venus around the sun is **224.7 Earth days** ¹. Is there anything else you "
    "would like to know? Source: Conversation with Bing, 4/11/2023 (1) Venus - Wikipedia. "
    "https://en.wikipedia.org/wiki/Venus Accessed 4/11/2023. (2) In Depth | Venus – NASA. "
    "https://solarsystem.nasa.gov/planets/venus/in-depth/ Accessed 4/11/2023."
)
PIECES = st.sampled_from(
    [
        *("**", "¹", "² ³", "[^1^]", "\n", " ", ". ", "Hello! ", "Hi there. ", "I hope this helps!", "😊"),
        *(
            "Is there anything else?",
            "Source: Conversation with Bing, 4/11/2023",
            "(1) A. https://a.b/c",
            "km²",
        ),
        *("Rome", "The answer is Rome.", "**Rome**", "Accessed 4/11/2023.", "Let me know if", "*", "x"),
    ]
)


class TestCleanAnswer:
    def test_the_published_example(self) -> None:
        assert clean_answer(VENUS) == "The revolution period of Venus around the sun is 224.7 Earth days."

    @pytest.mark.parametrize(
        ("raw", "cleaned"),
        [
            # Bold marks.
            ("**Rome**", "Rome"),
            ("It is **Rome**, **Italy**.", "It is Rome, Italy."),
            # Citation numbers.
            ("It is Rome ¹².", "It is Rome."),
            ("It is Rome ¹ ².", "It is Rome."),
            ("It is Rome.¹ It was Troy.²", "It is Rome. It was Troy."),
            ("It is Rome¹.", "It is Rome."),
            ("It is **Rome**¹.", "It is Rome."),
            ("It is Rome[^1^][2]. It was Troy [^3^].", "It is Rome. It was Troy."),
            # Greetings.
            ("Hello, this is Bing. The capital is Rome.", "The capital is Rome."),
            ("Hi! 😊 The capital is Rome.", "The capital is Rome."),
            ("Hello there! It is 1984.", "It is 1984."),
            # Offers of help.
            ("Rome. Is there anything else I can help you with?", "Rome."),
            ("Rome. I hope this helps! 😊", "Rome."),
            ("Rome. I hope this helps. Let me know if you have any other questions.", "Rome."),
            ("Rome.\n\nWould you like to know more about it?", "Rome."),
            ("Rome. Have a great day!", "Rome."),
            # Sources.
            ("Rome. Source: Conversation with Bing, 4/11/2023", "Rome."),
            (
                "Rome.\n\nSource: Conversation with Bing, 4/11/2023\n(1) R. https://a.b/c Accessed 4/1/2023.",
                "Rome.",
            ),
            ("Rome. Source: Conversation with Bing, 4/11/2023 (1) Rome - an article that is cut", "Rome."),
            (
                "Rome.\nSource: Conversation with Bing, 4/11/2023(1) R. https://a.b/c\nIt is old.",
                "Rome.\nIt is old.",
            ),
        ],
    )
    def test_what_does_not_answer_is_dropped(self, raw: str, cleaned: str) -> None:
        assert clean_answer(raw) == cleaned

    @pytest.mark.parametrize(
        "text",
        [
            "Rome",
            "  Rome \n",
            "",
            " ",
            "2**3 is 8 and 3**2 is 9",
            "** is a power in Python",
            "The area is 3 km² or 10⁶ m².",
            "9 square feet is 1 yard²",
            "carbon ¹⁴C",
            "E = mc²",
            "Hello! magazine was founded in 1988.",
            "Hello, Dolly! is a musical.",
            "Good Morning, Vietnam",
            "Hey Jude",
            "Hello",
            "Is there anything else?",
            "“Let me know if you need it” is a line of the song by Adele",
            "Source: the BBC",
            "The motto is “I hope this helps” and nothing else.",
            "Footnote [1] says Rome.",
            "**",
            "¹",
            "Source: Conversation with Bing, 4/11/2023",
        ],
    )
    def test_the_rest_stays_character_by_character(self, text: str) -> None:
        assert clean_answer(text) == text

    @given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=12).map("".join)))
    def test_cleaning_again_changes_nothing_and_never_empties(self, text: str) -> None:
        cleaned = clean_answer(text)
        assert clean_answer(cleaned) == cleaned
        assert bool(cleaned.strip()) == bool(text.strip())

    def test_long_text_takes_no_time_to_speak_of(self) -> None:
        for piece in (
            "**a ",
            "¹ ",
            "(1) ",
            "Hello! ",
            "Is there anything else ",
            "Source: Conversation with ",
        ):
            clean_answer(piece * 20_000 + "x")
