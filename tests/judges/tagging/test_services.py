"""Sets by version, rounds by filter and seed, and a history that only grows."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from annotation.adjudication.models import Decision
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, System
from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun, Verdict
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagProposal, TagSet
from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.rounds import Filter, People, Said
from judges.tagging.selectors import describe_round, list_specs, offered_tags, view_comparison, view_item
from judges.tagging.services import (
    NotATagger,
    NothingToTag,
    StaleTagging,
    TagSetRefused,
    TagSetTaken,
    UnusableRound,
    UnusableTagging,
    foresee_round,
    save_tag_set,
    tag_item,
    withdraw_tagging,
)
from tests.factories import make_member
from tests.judges.tagging.conftest import Starter, item_of, texts_of

TAGS = [{"key": "vague", "name": "Vague", "meaning": "It commits itself to nothing."}]


def save(project: Project, **fields: Any) -> TagSet:
    given = {"key": "own", "name": "Own", "subject": "answer", "tags": TAGS, **fields}
    return save_tag_set(project=project, by=project.created_by, **given)


class TestSaveTagSet:
    def test_is_changed_in_place_until_a_round_uses_it(self, study: Project, start: Starter) -> None:
        save(study)
        assert save(study, name="Renamed").version == 1
        used = start("own").tag_set
        assert save(study, name="Renamed again").version == 2
        used.refresh_from_db()
        assert (used.version, used.name) == (1, "Renamed")

    def test_the_same_again_is_the_same_version(self, study: Project, start: Starter) -> None:
        first = save(study)
        start("own")
        assert save(study) == first

    def test_refuses_a_key_there_is(self, study: Project) -> None:
        save(study, is_new=True)
        with pytest.raises(TagSetTaken):
            save(study, is_new=True)
        with pytest.raises(TagSetTaken):
            save(study, key="kamalloo")

    def test_refuses_what_cannot_be_used(self, study: Project) -> None:
        with pytest.raises(TagSetRefused) as refused:
            save(study, tags=[*TAGS, *TAGS])
        assert "tags" in refused.value.details["fields"]

    def test_is_listed_after_the_ready_made_ones(self, study: Project, start: Starter) -> None:
        save(study)
        start("kamalloo")
        listed = [(each.key, each.version, each.is_own, each.is_used) for each in list_specs(project=study)]
        assert listed[0] == ("kamalloo", 1, False, True)
        assert listed[1] == ("efficientqa", 0, False, False)
        assert listed[-1] == ("own", 1, True, False)


class TestStartRound:
    def test_draws_what_people_accept_and_the_judge_rejects(self, exact: JudgeRun, start: Starter) -> None:
        wanted = Filter(people=People.ACCEPT, run=exact.public_id, said=Said.REJECTS)
        drawn = start(wanted=wanted)
        assert texts_of(drawn) == {"the city of Paris", "William S."}
        assert (drawn.population, drawn.judge_signature) == (2, exact.signature)

    def test_draws_the_wrong_answers_of_a_system(self, study: Project, start: Starter) -> None:
        beta = System.objects.get(project=study, name="beta")
        wanted = Filter(people=People.REJECT, system=beta.public_id)
        assert texts_of(start("evouna-answers", wanted)) == {"Marlowe"}

    def test_draws_what_is_accepted_beyond_gold(self, study: Project, start: Starter) -> None:
        wanted = Filter(people=People.ACCEPT, beyond_gold=True)
        assert texts_of(start("efficientqa", wanted)) == {"the city of Paris", "William S."}

    def test_draws_by_flag(self, study: Project, start: Starter, annotators: list[Membership]) -> None:
        question = study.questions.get(text="largest ocean")
        QuestionFlag.objects.create(
            question=question, rater=annotators[0], kind="list", flagged_at=question.project.created_at
        )
        assert texts_of(start(wanted=Filter(flag="list"))) == {"Pacific"}

    def test_keeps_the_verdicts_that_are_tagged(self, exact: JudgeRun, start: Starter) -> None:
        drawn = start("evouna-evaluators", Filter(run=exact.public_id, said=Said.ERRS))
        assert set(drawn.items.values_list("candidate__text", "accepted")) == {
            ("the city of Paris", False),
            ("William S.", False),
        }
        Verdict.objects.filter(run=exact).delete()
        item = drawn.items.order_by("pk")[0]
        assert (item.verdict, item.accepted) == (None, False)

    def test_a_set_about_questions_draws_each_once(self, study: Project, start: Starter) -> None:
        save(study, subject="question")
        drawn = start("own")
        assert drawn.items.count() == 3
        assert not drawn.items.exclude(candidate=None).exists()

    def test_the_same_seed_draws_the_same_and_size_is_kept(self, study: Project, start: Starter) -> None:
        first, second = (start(size=3, seed=7) for _ in range(2))
        rows = [
            list(each.items.order_by("position").values_list("candidate", flat=True))
            for each in (first, second)
        ]
        assert rows[0] == rows[1]
        assert len(rows[0]) == 3

    @pytest.mark.parametrize("source", [Decision.Source.PREJUDGED, Decision.Source.ROUTED])
    def test_leaves_out_what_verdicts_settled(self, study: Project, start: Starter, source: str) -> None:
        Decision.objects.filter(candidate__text="Pacific").update(source=source)
        assert "Pacific" not in texts_of(start())

    def test_nothing_that_fits_is_said(self, study: Project, start: Starter) -> None:
        with pytest.raises(NothingToTag):
            start(wanted=Filter(people=People.POSSIBLY))

    def test_a_set_about_verdicts_needs_a_judge(self, study: Project, start: Starter) -> None:
        for set_key, wanted in (
            ("evouna-evaluators", Filter()),
            ("kamalloo", Filter(said=Said.REJECTS)),
            ("kamalloo", Filter(run="no such run")),
            ("no such set", Filter()),
        ):
            with pytest.raises(UnusableRound):
                start(set_key, wanted)

    def test_annotators_cannot_be_named(
        self, study: Project, start: Starter, annotators: list[Membership], adjudicator: Membership
    ) -> None:
        with pytest.raises(UnusableRound):
            start(taggers=[annotators[0].public_id])
        drawn = start(taggers=[adjudicator.public_id])
        assert [each.member for each in drawn.named.all()] == [adjudicator]

    def test_rules_propose_where_asked(self, exact: JudgeRun, start: Starter) -> None:
        wanted = Filter(people=People.ACCEPT, run=exact.public_id, said=Said.REJECTS)
        assert not start(wanted=wanted).items.filter(proposal__isnull=False).exists()
        shown = start(wanted=wanted, proposals="shown")
        (proposal,) = TagProposal.objects.filter(item__round=shown)
        assert (proposal.item, proposal.tags) == (item_of(shown, "the city of Paris"), ["bridging"])
        assert proposal.signature == "rules|set:kamalloo@1|revision:2"

    def test_a_lexical_judge_is_offered_its_own_tags(self, exact: JudgeRun, start: Starter) -> None:
        drawn = start("evouna-evaluators", Filter(run=exact.public_id))
        offered = {tag.key for tag in offered_tags(drawn)}
        assert {"paraphrase", "partial-match"} <= offered
        assert not {"extended-answer", "literal-interpretation"} & offered

    def test_a_changed_ready_made_set_is_another_version(self, study: Project, start: Starter) -> None:
        first = start().tag_set
        TagSet.objects.filter(pk=first.pk).update(content_hash="as it was last year")
        assert start().tag_set.version == 2

    def test_is_foreseen(self, exact: JudgeRun, study: Project) -> None:
        wanted = Filter(people=People.ACCEPT, run=exact.public_id, said=Said.REJECTS)
        assert foresee_round(project=study, subject="answer", wanted=wanted) == 2
        assert not TaggingRound.objects.exists()


class TestTagItem:
    @pytest.fixture
    def item(self, study: Project, start: Starter) -> TaggedItem:
        return item_of(start(), "Pacific")

    def test_keeps_tags_in_the_order_of_the_set(self, item: TaggedItem, member: Membership) -> None:
        said = tag_item(item=item, by=member, tags=["list", "bridging"], seen_number=0, note=" why ")
        assert (said.tags, said.note, said.number) == (["bridging", "list"], "why", 1)

    def test_what_was_said_before_stays(self, item: TaggedItem, member: Membership) -> None:
        tag_item(item=item, by=member, tags=["list"], seen_number=0)
        tag_item(item=item, by=member, tags=["bridging"], seen_number=1)
        rows = item.taggings.order_by("number").values_list("number", "tags", "is_current")
        assert list(rows) == [(1, ["list"], False), (2, ["bridging"], True)]

    def test_who_saw_an_older_state_is_told(self, item: TaggedItem, member: Membership) -> None:
        tag_item(item=item, by=member, tags=["list"], seen_number=0)
        with pytest.raises(StaleTagging):
            tag_item(item=item, by=member, tags=["bridging"], seen_number=0)
        assert view_item(item=item).current.tags == ["list"]

    def test_is_taken_back(self, item: TaggedItem, member: Membership) -> None:
        tag_item(item=item, by=member, tags=["list"], seen_number=0)
        withdraw_tagging(item=item, by=member, seen_number=1)
        assert view_item(item=item).current is None
        assert [row.number for row in view_item(item=item).history] == [2, 1]
        with pytest.raises(StaleTagging):
            withdraw_tagging(item=item, by=member, seen_number=2)
        tag_item(item=item, by=member, tags=["bridging"], seen_number=2)
        assert view_item(item=item).current.tags == ["bridging"]

    def test_unattributable_needs_no_tag(self, item: TaggedItem, member: Membership) -> None:
        assert tag_item(
            item=item, by=member, tags=[], seen_number=0, is_unattributable=True
        ).is_unattributable

    @pytest.mark.parametrize("tags", [[], ["no-such-tag"]])
    def test_refuses_what_the_set_does_not_have(
        self, item: TaggedItem, member: Membership, tags: list[str]
    ) -> None:
        with pytest.raises(UnusableTagging):
            tag_item(item=item, by=member, tags=tags, seen_number=0)

    def test_one_tag_where_the_set_says_so(self, study: Project, start: Starter, member: Membership) -> None:
        item = item_of(start("evouna-answers"), "Marlowe")
        with pytest.raises(UnusableTagging):
            tag_item(item=item, by=member, tags=["inacc", "irra"], seen_number=0)

    def test_only_who_is_named_tags(self, study: Project, start: Starter, member: Membership) -> None:
        other = make_member(project=study, role="adjudicator", username="other")
        item = item_of(start(taggers=[other.public_id]), "Pacific")
        with pytest.raises(NotATagger):
            tag_item(item=item, by=member, tags=["list"], seen_number=0)
        tag_item(item=item, by=other, tags=["list"], seen_number=0)
        with pytest.raises(NotATagger):
            withdraw_tagging(item=item, by=member, seen_number=1)

    def test_an_annotator_never_tags(self, item: TaggedItem, annotators: list[Membership]) -> None:
        with pytest.raises(NotATagger):
            tag_item(item=item, by=annotators[0], tags=["list"], seen_number=0)

    def test_the_database_keeps_one_current_row(self, item: TaggedItem, member: Membership) -> None:
        said = tag_item(item=item, by=member, tags=["list"], seen_number=0)
        with pytest.raises(IntegrityError), transaction.atomic():
            Tagging.objects.create(
                item=item, number=2, tags=[], tagged_by=member.user, tagged_at=said.tagged_at
            )


class TestProposals:
    def make(self, exact: JudgeRun, start: Starter, proposals: str) -> TaggedItem:
        return item_of(start(proposals=proposals), "the city of Paris")

    def test_shown_ones_are_seen_at_once(self, exact: JudgeRun, start: Starter) -> None:
        assert view_item(item=self.make(exact, start, "shown")).proposal.tags == ["bridging"]

    def test_hidden_ones_are_never_seen_beside_their_item(
        self, exact: JudgeRun, start: Starter, member: Membership
    ) -> None:
        item = self.make(exact, start, "hidden")
        assert view_item(item=item).proposal is None
        tag_item(item=item, by=member, tags=["synonymous"], seen_number=0)
        assert view_item(item=item).proposal is None

    def test_are_nobodys_tags(self, exact: JudgeRun, start: Starter) -> None:
        item = self.make(exact, start, "shown")
        assert (item.taggings.count(), describe_round(item.round).done) == (0, 0)

    def test_are_compared_with_people(self, exact: JudgeRun, start: Starter, member: Membership) -> None:
        item = self.make(exact, start, "shown")
        tag_item(item=item, by=member, tags=["bridging"], seen_number=0)
        view = describe_round(item.round)
        assert (view.total, view.done) == (5, 1)
        compared = view_comparison(view=view, member=member)
        assert (compared.compared, compared.agreed) == (1, 1)
        tag_item(item=item, by=member, tags=["bridging", "list"], seen_number=1)
        compared = view_comparison(view=view, member=member)
        assert (compared.compared, compared.agreed) == (1, 0)
        assert [
            (count.tag, count.proposed, count.said, count.both) for count in compared.tags if count.said
        ] == [
            ("bridging", 1, 1, 1),
            ("list", 0, 1, 0),
        ]

    def test_whoever_still_tags_beside_hidden_ones_sees_no_comparison(
        self, exact: JudgeRun, start: Starter, member: Membership
    ) -> None:
        other = make_member(project=exact.project, role="adjudicator", username="other")
        drawn = start(proposals="hidden", taggers=[other.public_id])
        items = list(TaggedItem.objects.filter(round=drawn).select_related("round__tag_set", "round__run"))
        for done, item in enumerate(items):
            view = describe_round(drawn)
            assert view.done == done
            assert view_comparison(view=view, member=other) is None
            assert view_comparison(view=view, member=member) is not None
            tag_item(item=item, by=other, tags=["list"], seen_number=0)
        assert view_comparison(view=describe_round(drawn), member=other) is not None

    def test_none_are_compared_where_none_were_made(
        self, exact: JudgeRun, start: Starter, member: Membership
    ) -> None:
        assert view_comparison(view=describe_round(start()), member=member) is None


class TestWhatTagsRestOn:
    def test_answers_that_are_tagged_cannot_be_deleted(self, study: Project, start: Starter) -> None:
        item = item_of(start(), "Pacific")
        with pytest.raises(ProtectedError) as refused:
            Candidate.objects.filter(pk=item.candidate_id).delete()
        assert item in refused.value.protected_objects

    def test_a_round_outlives_its_judge(self, exact: JudgeRun, start: Starter) -> None:
        drawn = start("evouna-evaluators", Filter(run=exact.public_id))
        signature = exact.signature
        exact.delete()
        drawn.refresh_from_db()
        assert (drawn.run, drawn.judge_signature) == (None, signature)
        assert len(offered_tags(drawn)) == len(READY_MADE["evouna-evaluators"].tags)
