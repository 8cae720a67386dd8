"""Regular expressions as gold: any pattern anywhere."""

from judges.methods.lexical.regex import Regex, RegexOptions
from judges.protocol import JudgeInput, Verdict

ACCEPTED, REJECTED = Verdict(True, 1.0), Verdict(False, 0.0)


def _judge(answer: str, *patterns: str, anchored: bool = False) -> Verdict:
    judge = Regex(RegexOptions(anchored=anchored))
    return judge.judge([JudgeInput("q", answer, (), patterns)])[0]


class TestRegex:
    def test_accepts_what_any_pattern_finds(self) -> None:
        assert _judge("It was in the Louvre.", "Prado", r"louvre|paris") == ACCEPTED

    def test_rejects_what_none_finds(self) -> None:
        assert _judge("Madrid", "Prado", "louvre") == REJECTED

    def test_can_ask_for_the_whole_answer(self) -> None:
        assert _judge("1965\n", r"19\d\d", anchored=True) == ACCEPTED
        assert _judge("in 1965", r"19\d\d", anchored=True) == REJECTED

    def test_does_not_read_strings(self) -> None:
        assert Regex(RegexOptions()).judge([JudgeInput("q", "x", ("x",), ())]) == [REJECTED]

    def test_leaves_unscored_what_could_take_too_long(self) -> None:
        verdict = _judge("ab" * 50_000, "[ab]*a[ab]{500}c")
        assert verdict == Verdict(None, unscored_reason="pattern_too_costly")

    def test_needs_no_costly_pattern_where_another_matches(self) -> None:
        assert _judge("ab" * 50_000, "[ab]*a[ab]{500}c", "^ab") == ACCEPTED

    def test_leaves_unscored_what_an_older_import_let_in(self) -> None:
        assert _judge("x", "(y") == Verdict(None, unscored_reason="bad_pattern")
