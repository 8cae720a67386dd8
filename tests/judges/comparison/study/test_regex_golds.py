"""Gold answers that are regular expressions are searched for, never compared as text."""

import pytest

from annotation.items.models import GoldAnswer
from annotation.projects.models import Project
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.study import read_beyond_gold, read_items
from judges.tagging.rules.rounds import Filter, People
from judges.tagging.selectors import find_population
from tests.judges.comparison.conftest import Decider


@pytest.fixture(autouse=True)
def patterns(study: Project, decide: Decider) -> None:
    """Every question has one pattern; those that systems answer to two of them are found by it."""
    for question in study.questions.all():
        GoldAnswer.objects.filter(question=question).exclude(
            pk=GoldAnswer.objects.filter(question=question).order_by("position").values("pk")[:1]
        ).delete()
    GoldAnswer.objects.update(kind=GoldAnswer.Kind.REGEX, text="no such answer")
    GoldAnswer.objects.filter(question__candidates__text="Pacific").update(text="Pa[cx]ific")
    decide("William S.", "incorrect")


def correct(project: Project) -> dict[str, int | None]:
    board = read_leaderboard(project=project)
    return {
        row.system: score.correct if (score := row.scores["human"]) is not None else None
        for row in board.rows
    }


class TestRegexGolds:
    def test_an_answer_nobody_judged_is_searched(self, study: Project) -> None:
        assert sum(count or 0 for count in correct(study).values()) == 2

    def test_an_answer_that_is_the_patterns_text_is_no_match_for_that(self, study: Project) -> None:
        GoldAnswer.objects.filter(text="Pa[cx]ific").update(text="Pacific$.")
        assert sum(count or 0 for count in correct(study).values()) == 0

    def test_what_people_rejected_stays_rejected(self, study: Project, decide: Decider) -> None:
        decide("Pacific", "incorrect")
        assert sum(count or 0 for count in correct(study).values()) == 0

    def test_what_people_accepted_counts_without_a_match(self, study: Project, decide: Decider) -> None:
        decide("Marlowe", "correct")
        assert sum(count or 0 for count in correct(study).values()) == 3

    def test_what_a_pattern_finds_is_not_beyond_gold(self, study: Project, decide: Decider) -> None:
        decide("Pacific", "correct")
        items = read_items(study)
        within = set(items.candidates.ids[~read_beyond_gold(study)].tolist())
        found = study.candidates.filter(text="Pacific").values_list("pk", flat=True)
        assert within == set(found)
        drawn = find_population(project=study, wanted=Filter(people=People.ACCEPT, beyond_gold=True))
        assert not {each.id for each in drawn} & set(found)

    def test_an_answer_that_is_the_patterns_text_is_beyond_gold(self, study: Project) -> None:
        study.candidates.filter(text="Marlowe").update(text="no such answers?")
        GoldAnswer.objects.filter(text="no such answer").update(text="no such answers?$^")
        assert read_beyond_gold(study).sum() == study.candidates.exclude(text="Pacific").count()
