"""HTTP for tagging: sets of tags, rounds with what came out of them, and their items."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import (
    LEAD,
    AdjudicatorAndViewerView,
    AdjudicatorView,
    LeadView,
    ProjectView,
)
from annotation.projects.selectors import sees_systems
from common.web.replies import choice_of, operation, reply, reply_of
from judges.connections.api import MoneyField
from judges.tagging import selectors, services
from judges.tagging.models import TaggedItem, TaggingRound
from judges.tagging.rules.rounds import FLAGS, Filter, People, RoundResults, Said
from judges.tagging.rules.sets import KEY, JudgeKind, Subject, Tag
from judges.tagging.selectors import ItemLine, ItemRead, ListedSet, RoundDetail, RoundRead, TaggingOverview
from judges.tagging.services import LARGEST_ROUND, MOST_CHOSEN

LARGEST_SEED = 2**53 - 1

# As pages know them: here each of these names is that of a table, or of too much.
for record, name in (
    (Tag, "FailureTag"),
    (ListedSet, "TagSet"),
    (Filter, "RoundFilter"),
    (RoundRead, "TaggingRound"),
    (ItemLine, "RoundItem"),
    (ItemRead, "TaggedItem"),
    (TaggingOverview, "Tagging"),
):
    reply_of(record, name)


class FailureTagSerializer(serializers.Serializer[Any]):
    """One tag: its meaning and an example.

    `judges`: the kinds of judges whose verdicts it applies to.
    """

    key = serializers.RegexField(KEY, max_length=60)
    name = serializers.CharField(max_length=100)
    meaning = serializers.CharField(max_length=500)
    example = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    group = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    judges = choice_of(JudgeKind, required=False, default=JudgeKind.ANY)


class TagSetChangeSerializer(serializers.Serializer[Any]):
    """The new contents of a project’s own tag set."""

    name = serializers.CharField(max_length=100)
    summary = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    subject = choice_of(Subject)
    several = serializers.BooleanField(required=False, default=True)
    tags = FailureTagSerializer(many=True, allow_empty=False)


class TagSetCreateSerializer(TagSetChangeSerializer):
    """A tag set to create, with its key."""

    key = serializers.RegexField(KEY, max_length=60)


class TagSetsView(AdjudicatorAndViewerView):
    """The sets a project may use."""

    write_roles = frozenset({LEAD})

    @operation("list_tag_sets", gives=list[ListedSet])
    def get(self, request: Request, slug: str) -> Response:
        """List the built-in tag sets, then the project’s own."""
        return reply(selectors.list_specs(project=self.project))

    @operation(
        "create_tag_set",
        takes=TagSetCreateSerializer,
        gives=ListedSet,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a tag set."""
        form = self.read(TagSetCreateSerializer)
        services.save_tag_set(project=self.project, by=self.user, is_new=True, **form)
        return reply(selectors.get_listed(project=self.project, key=form["key"]), status=201)


class TagSetView(LeadView):
    """One of the project's own sets."""

    @operation("change_tag_set", takes=TagSetChangeSerializer, gives=ListedSet)
    def put(self, request: Request, slug: str, key: str) -> Response:
        """Change the tag set; if a round uses it, this creates a new version."""
        selectors.get_listed(project=self.project, key=key)
        form = self.read(TagSetChangeSerializer)
        services.save_tag_set(project=self.project, by=self.user, key=key, **form)
        return reply(selectors.get_listed(project=self.project, key=key))


class RoundFilterSerializer(serializers.Serializer[Any]):
    """The decided answers from which a round is sampled. Omitted conditions are ignored."""

    people = choice_of(People, required=False, default=People.ANY)
    run = serializers.CharField(required=False, allow_blank=True, default="")
    said = choice_of(Said, required=False, default=Said.ANY)
    system = serializers.CharField(required=False, allow_blank=True, default="")
    flag = serializers.ChoiceField(choices=FLAGS, required=False, allow_blank=True, default="")
    beyond_gold = serializers.BooleanField(required=False, default=False)


class RoundPreviewRequestSerializer(serializers.Serializer[Any]):
    """The tag set and the filter of a round to preview."""

    set = serializers.CharField()
    filter = RoundFilterSerializer()


class RoundPreviewSerializer(serializers.Serializer[Any]):
    """The number of matching items, from which a round would be sampled."""

    population = serializers.IntegerField()


class RoundCreateSerializer(RoundPreviewRequestSerializer):
    """A tagging round to create.

    `size`: how many items to sample; if omitted or null, all. `connection`: the connection of the model that
    proposes tags; if empty, rules propose them. `spend_cap`: the model’s spending limit; null for none.
    `taggers`: the IDs of the members who tag; if empty, everyone who may tag.
    """

    name = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    size = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=LARGEST_ROUND
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=LARGEST_SEED)
    proposals = choice_of(TaggingRound.Proposals, required=False, default=TaggingRound.Proposals.NONE)
    # The model that proposes, under a cap of its own; without one rules do.
    connection = serializers.CharField(required=False, allow_blank=True, default="")
    spend_cap = MoneyField(required=False, default=None, allow_null=True)
    taggers = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class RoundsView(AdjudicatorAndViewerView):
    """A project's tagging rounds."""

    write_roles = frozenset({LEAD})

    @operation("list_tagging_rounds", gives=TaggingOverview)
    def get(self, request: Request, slug: str) -> Response:
        """List the rounds, newest first, with the judges and people available for a new round."""
        return reply(selectors.read_tagging(project=self.project, member=self.member))

    @operation(
        "start_tagging_round",
        takes=RoundCreateSerializer,
        gives=RoundDetail,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a round from a random sample."""
        given = dict(self.read(RoundCreateSerializer))
        started = services.start_round(
            project=self.project,
            by=self.user,
            set_key=given.pop("set"),
            wanted=Filter.from_json(given.pop("filter")),
            **given,
        )
        found = selectors.get_round(project=self.project, public_id=started.public_id)
        return reply(selectors.read_round(found, member=self.member), status=201)


class TagChosenSerializer(serializers.Serializer[Any]):
    """Selected answers, and the tags for each.

    `set`: the key of the tag set. `answers`: the IDs of the answers. `tags`: if empty, the answers are tagged
    individually later.
    """

    set = serializers.CharField()
    answers = serializers.ListField(
        child=serializers.CharField(max_length=20), allow_empty=False, max_length=MOST_CHOSEN
    )
    tags = serializers.ListField(child=serializers.CharField(), max_length=30, required=False, default=list)
    note = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class TagChosenView(LeadView):
    """Answers tagged as they were selected."""

    @operation(
        "tag_chosen_answers",
        takes=TagChosenSerializer,
        gives=RoundDetail,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a round of selected answers, tagged if tags are given."""
        given = dict(self.read(TagChosenSerializer))
        made = services.tag_chosen(project=self.project, by=self.member, set_key=given.pop("set"), **given)
        found = selectors.get_round(project=self.project, public_id=made.public_id)
        return reply(selectors.read_round(found, member=self.member), status=201)


class RoundPreviewView(LeadView):
    """What a round would draw from, for leads."""

    @operation(
        "preview_tagging_round",
        takes=RoundPreviewRequestSerializer,
        gives=RoundPreviewSerializer,
        takes_key=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Count the items that match; nothing changes."""
        form = self.read(RoundPreviewRequestSerializer)
        subject = selectors.get_listed(project=self.project, key=form["set"]).subject
        wanted = Filter.from_json(form["filter"])
        population = services.foresee_round(project=self.project, subject=subject, wanted=wanted)
        return Response(RoundPreviewSerializer({"population": population}).data)


class RoundView(AdjudicatorView):
    """One round, for those who tag."""

    @operation("get_tagging_round", gives=RoundDetail)
    def get(self, request: Request, slug: str, tagging_round: str) -> Response:
        """Return the round with its tags and items."""
        found = selectors.get_round(project=self.project, public_id=tagging_round)
        return reply(selectors.read_round(found, member=self.member))


class RoundResultsView(AdjudicatorAndViewerView):
    """What came out of one round."""

    @operation("get_tagging_results", gives=RoundResults)
    def get(self, request: Request, slug: str, tagging_round: str) -> Response:
        """Count the tags that people chose."""
        found = selectors.get_round(project=self.project, public_id=tagging_round)
        return reply(selectors.read_results(found))


class TagItemSerializer(serializers.Serializer[Any]):
    """The tags for an item.

    `seen_number`: the number of the latest entry of its history that the caller saw; 0 if there was none.
    """

    tags = serializers.ListField(child=serializers.CharField(), max_length=30)
    is_unattributable = serializers.BooleanField(required=False, default=False)
    note = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    seen_number = serializers.IntegerField(min_value=0)


class WithdrawTaggingSerializer(serializers.Serializer[Any]):
    """A request to remove the item’s tags, with the latest entry of its history that the caller saw."""

    seen_number = serializers.IntegerField(min_value=0)


class ItemView(AdjudicatorView):
    """One item of a round."""

    @operation("get_tagged_item", gives=ItemRead)
    def get(self, request: Request, slug: str, tagging_round: str, item: str) -> Response:
        """Return everything needed to tag this item."""
        return _reply(self, _find(self, tagging_round, item))


class ItemTagsView(AdjudicatorView):
    """Tagging an item."""

    @operation("tag_item", takes=TagItemSerializer, gives=ItemRead)
    def post(self, request: Request, slug: str, tagging_round: str, item: str) -> Response:
        """Tag the item; its history is kept."""
        found = _find(self, tagging_round, item)
        services.tag_item(item=found, by=self.member, **self.read(TagItemSerializer))
        return _reply(self, found)


class ItemWithdrawView(AdjudicatorView):
    """Taking back what was said of an item."""

    @operation("withdraw_tagging", takes=WithdrawTaggingSerializer, gives=ItemRead)
    def post(self, request: Request, slug: str, tagging_round: str, item: str) -> Response:
        """Remove the item’s tags; it can be tagged again."""
        found = _find(self, tagging_round, item)
        services.withdraw_tagging(item=found, by=self.member, **self.read(WithdrawTaggingSerializer))
        return _reply(self, found)


def _find(view: ProjectView, tagging_round: str, item: str) -> TaggedItem:
    found = selectors.get_round(project=view.project, public_id=tagging_round)
    return selectors.get_item(tagging_round=found, public_id=item)


def _reply(view: ProjectView, item: TaggedItem) -> Response:
    return reply(selectors.view_item(item=item, with_systems=sees_systems(view.member)))
