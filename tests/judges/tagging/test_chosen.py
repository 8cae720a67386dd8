"""Answers that were selected, tagged together or made a round of."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from judges.comparison.rules.failures import Known, could_draw
from judges.runs.models import JudgeRun
from judges.tagging.models import Tagging, TaggingRound
from judges.tagging.rules.rounds import Filter
from judges.tagging.selectors import read_results
from judges.tagging.services import UnusableRound, UnusableTagging, save_tag_set, tag_chosen
from tests.annotation.adjudication.factories import make_answers
from tests.conftest import ClientOf

CHOSEN = "/api/projects/small/tagging/chosen"


def ids_of(*texts: str) -> list[str]:
    found = {each.text: each.public_id for each in Candidate.objects.all()}
    return [found[text] for text in texts]


@pytest.fixture
def tag(study: Project, member: Membership) -> Callable[..., TaggingRound]:
    def tag_with(*texts: str, set_key: str = "kamalloo", **more: Any) -> TaggingRound:
        return tag_chosen(project=study, by=member, set_key=set_key, answers=ids_of(*texts), **more)

    return tag_with


def first_tag(tagging_round: TaggingRound) -> str:
    return str(tagging_round.tag_set.tags[0]["key"])


class TestTagChosen:
    def test_each_is_tagged_in_a_round_of_them(
        self, tag: Callable[..., TaggingRound], study: Project, member: Membership
    ) -> None:
        key = first_tag(tag("Paris"))
        made = tag("Marlowe", "Paris", tags=[key], note="seen together")
        assert list(made.items.order_by("position").values_list("candidate__text", flat=True)) == [
            "Marlowe",
            "Paris",
        ]
        said = Tagging.objects.in_force().filter(item__round=made)
        assert (
            list(said.values_list("tags", "note", "tagged_by"))
            == [([key], "seen together", member.user_id)] * 2
        )
        assert (made.population, Filter.from_json(made.filter).by_hand) == (2, True)

    def test_without_tags_they_wait_to_be_tagged_one_by_one(self, tag: Callable[..., TaggingRound]) -> None:
        assert not Tagging.objects.filter(item__round=tag("Paris")).exists()

    def test_of_a_set_about_questions_an_item_is_a_question(
        self, tag: Callable[..., TaggingRound], study: Project, member: Membership
    ) -> None:
        save_tag_set(
            project=study,
            by=member.user,
            key="asked",
            name="Asked",
            subject="question",
            tags=[{"key": "vague", "name": "Vague", "meaning": "It asks for nothing."}],
        )
        made = tag("Paris", "the city of Paris", "Pacific", set_key="asked", tags=["vague"])
        asked = made.items.order_by("position").values_list("question__text", "candidate")
        assert [text for text, _ in asked] == ["capital of france", "largest ocean"]
        assert not made.items.exclude(candidate=None).exists()

    def test_shares_of_chosen_answers_stand_for_no_others(self, tag: Callable[..., TaggingRound]) -> None:
        key = first_tag(tag("Paris"))
        results = read_results(tag("Paris", "Marlowe", tags=[key]))
        share = next(each.share for each in results.tags if each.key == key)
        assert (share.value, share.low, share.high) == (1.0, None, None)

    def test_a_board_knows_that_nothing_else_could_have_been_drawn(self) -> None:
        known = Known(
            worth=np.array([0, 1, 2]),
            verdict=None,
            is_given=None,
            is_flagged=None,
            is_beyond_gold=np.array([True, True, True]),
        )
        assert could_draw(Filter(), known).any()
        assert not could_draw(Filter(by_hand=True), known).any()

    def test_nothing_is_tagged_where_one_cannot_be(
        self, tag: Callable[..., TaggingRound], study: Project
    ) -> None:
        make_answers(project=study, question="open", gold=["g"], texts=["undecided"])
        with pytest.raises(UnusableRound, match="undecided"):
            tag("Paris", "undecided")
        with pytest.raises(UnusableTagging):
            tag("Paris", tags=["no-such-tag"])
        assert not TaggingRound.objects.exists()

    def test_verdicts_are_tagged_in_rounds_about_their_judge(
        self, tag: Callable[..., TaggingRound], exact: JudgeRun
    ) -> None:
        with pytest.raises(UnusableRound, match="for their judge"):
            tag("Paris", set_key="evouna-evaluators")


class TestTagChosenView:
    def test_replies_with_the_round(self, study: Project, member: Membership) -> None:
        body = {"set": "kamalloo", "answers": ids_of("Paris", "Marlowe")}
        reply = ClientOf(member.user).post(CHOSEN, body, format="json")
        assert reply.status_code == 201
        assert (reply.json()["total"], reply.json()["done"], reply.json()["filter"]["by_hand"]) == (
            2,
            0,
            True,
        )

    @pytest.mark.parametrize("answers", [[], ["x"] * 201, ["nosuchanswer"]])
    def test_refuses_none_too_many_and_what_is_gone(
        self, answers: list[str], study: Project, member: Membership
    ) -> None:
        body = {"set": "kamalloo", "answers": answers}
        assert ClientOf(member.user).post(CHOSEN, body, format="json").status_code == 400

    def test_is_for_leads(self, study: Project, adjudicator: Membership) -> None:
        body = {"set": "kamalloo", "answers": ids_of("Paris")}
        assert ClientOf(adjudicator.user).post(CHOSEN, body, format="json").status_code == 403
