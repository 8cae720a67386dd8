"""What the server says is punctuated as CONTRIBUTING says, as far as that can be told without reading."""

import re

import pytest

from tools.strings import schema_texts, server_texts

WORD = r"[\w’-]+"
ONE = rf"(?:(?:the|a|an|no|its|their|other) )?{WORD}"
FAULTS = {
    # Where the quoted text is read exactly, the sentence is built so that nothing touches the marks.
    "a comma or period behind quotation marks": re.compile("”[.,]"),
    "a straight apostrophe": re.compile(r"\w'\w|s' "),
    # Lists of three are not told apart from asides, such as “before and after”, unless their articles say so.
    "no comma before the last of a list": re.compile(
        rf"{WORD}, {ONE}, {ONE} (?:and|or) |\b(the|an?|no) {WORD}, (?:the|an?|no) {WORD} (?:and|or) \1\b"
    ),
}
# What Celery logs, and a source that is part of what a prompt is.
NOT_OURS = {"You're running the worker with superuser privileges", "Assay's own"}


def faults_of(said: str) -> list[str]:
    """Return what is wrong with a text; code in it has punctuation of its own."""
    prose = re.sub(r"`[^`]*`", "code", said)
    return [name for name, pattern in FAULTS.items() if pattern.search(prose)]


class TestFaults:
    @pytest.mark.parametrize(
        "said",
        [
            "There is no run “{name}”.",
            "the project's name",
            "The file has votes, labels, comments and notes.",
            "Name a question, an answer or a system.",
        ],
    )
    def test_are_found(self, said: str) -> None:
        assert len(faults_of(said)) == 1

    @pytest.mark.parametrize(
        "said",
        [
            "The run “{name}” does not exist. You are already in “{project}.”",
            "The file has votes, labels, comments, and notes, with reasons and times.",
            "A certificate, granted or refused, before and after, completely or not at all.",
            "A person, a judge, or a file and a prompt: `a'a, b, c, d and e`.",
        ],
    )
    def test_are_not_found_in_what_is_right(self, said: str) -> None:
        assert faults_of(said) == []


class TestTexts:
    def test_of_the_server_have_none(self) -> None:
        texts = [text for text in (*server_texts(), *schema_texts()) if text.said not in NOT_OURS]
        assert len(texts) > 3_000
        assert [(*text, faults) for text in texts if (faults := faults_of(text.said))] == []
