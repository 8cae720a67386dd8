"""Why the learned judge decided so: each ground, and where it stands in the answer."""

from judges.methods.learned.explanation import Ground, Reason, explain
from judges.methods.learned.memory import DecidedAnswer

QUESTION = "who invented the vaccine"


def grounds(answer: str, *golds: str, decided: tuple[DecidedAnswer, ...] = ()) -> dict[Ground, Reason]:
    found = explain(question=QUESTION, golds=golds, answer=answer, decided=decided)
    return {reason.ground: reason for reason in found}


def marked(answer: str, reason: Reason) -> list[str]:
    return [answer[span.start : span.end] for span in reason.spans]


class TestExplain:
    def test_marks_the_words_of_the_gold_answer(self) -> None:
        answer = "It was Dr. Jonas Salk."
        found = grounds(answer, "Albert", "Jonas Salk")
        assert list(found) == [Ground.OVERLAP]
        assert marked(answer, found[Ground.OVERLAP]) == ["Jonas Salk"]
        assert (found[Ground.OVERLAP].about, found[Ground.OVERLAP].missing) == ("Jonas Salk", [])

    def test_says_what_is_missing(self) -> None:
        assert grounds("Salk", "Jonas Salk")[Ground.OVERLAP].missing == ["jonas"]
        assert grounds("Sabin", "Jonas Salk")[Ground.NO_OVERLAP].missing == ["jonas", "salk"]

    def test_knows_an_equal_answer(self) -> None:
        assert list(grounds("the Salk", "Salk")) == [Ground.EQUAL]

    def test_marks_the_number_that_differs(self) -> None:
        answer = "Salk, in 1963"
        found = grounds(answer, "Salk, 1955")
        assert marked(answer, found[Ground.OTHER_NUMBER]) == ["1963"]
        assert Ground.OTHER_NUMBER not in grounds("Salk, in 1955", "Salk, 1955")

    def test_marks_a_denial_and_a_refusal(self) -> None:
        denied, refused = "It was not Salk", "I’m sorry, I do not know."
        assert marked(denied, grounds(denied, "Salk")[Ground.DENIAL]) == ["not"]
        assert "I’m sorry" in marked(refused, grounds(refused, "Salk")[Ground.REFUSAL])[0]

    def test_names_what_people_decided_on_another_answer_like_it(self) -> None:
        answer = "the Zarkov institute"
        decided = (
            DecidedAnswer(QUESTION, ("Salk",), "Zarkov", True),
            DecidedAnswer(QUESTION, ("Salk",), "Brinsk", False),
            DecidedAnswer(QUESTION, ("Salk",), answer, False),
        )
        found = grounds(answer, "Salk", decided=decided)
        assert found[Ground.LIKE_ACCEPTED].about == "Zarkov"
        assert marked(answer, found[Ground.LIKE_ACCEPTED]) == ["Zarkov"]
        assert Ground.LIKE_REJECTED not in found

    def test_says_nothing_where_the_judge_abstains(self) -> None:
        assert grounds("Salk", "?!") == grounds("…", "Salk") == {}
