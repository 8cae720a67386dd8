"""HTTP for tagging rounds."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.figures import Undefined
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from annotation.projects.models import Membership
from annotation.projects.selectors import sees_systems
from common.web.replies import operation, reply_of
from judges.connections.api import MoneyField
from judges.runs.models import JudgeRun
from judges.tagging import selectors, services
from judges.tagging.api.sets import FailureTagSerializer
from judges.tagging.models import TaggingRound, TagSet
from judges.tagging.rules import FLAGS, Comparison, Filter, People, Said
from judges.tagging.rules.comparing import TagCount
from judges.tagging.selectors.items import ItemLine
from judges.tagging.selectors.rounds import TaggableRun
from judges.tagging.services.rounds import LARGEST_ROUND

PEOPLE = [each.value for each in People]
SAID = [each.value for each in Said]
LARGEST_SEED = 2**53 - 1
HIDDEN_SYSTEM = "hidden"


class RoundFilterSerializer(serializers.Serializer[Any]):
    """Which decided answers a round draws from; what is left out asks nothing."""

    people = serializers.ChoiceField(choices=PEOPLE, required=False, default=People.ANY.value)
    run = serializers.CharField(required=False, allow_blank=True, default="")
    said = serializers.ChoiceField(choices=SAID, required=False, default=Said.ANY.value)
    system = serializers.CharField(required=False, allow_blank=True, default="")
    flag = serializers.ChoiceField(choices=FLAGS, required=False, allow_blank=True, default="")
    beyond_gold = serializers.BooleanField(required=False, default=False)


class RoundPreviewRequestSerializer(serializers.Serializer[Any]):
    """What a round would be about."""

    set = serializers.CharField()
    filter = RoundFilterSerializer()


class RoundPreviewSerializer(serializers.Serializer[Any]):
    """How many items there are to draw from."""

    population = serializers.IntegerField()


class RoundCreateSerializer(RoundPreviewRequestSerializer):
    """A round to draw; without a size it takes all, `taggers` are members, none means all who may."""

    name = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    size = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=LARGEST_ROUND
    )
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=LARGEST_SEED)
    proposals = serializers.ChoiceField(
        choices=TaggingRound.Proposals.choices, required=False, default=TaggingRound.Proposals.NONE
    )
    # The model that proposes, under a cap of its own; without one rules do.
    connection = serializers.CharField(required=False, allow_blank=True, default="")
    spend_cap = MoneyField(required=False, default=None, allow_null=True)
    taggers = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class ProposerSerializer(serializers.Serializer[Any]):
    """The run of a model that proposes; `message` says why it is paused."""

    run = serializers.CharField(source="public_id")
    state = serializers.ChoiceField(choices=JudgeRun.State.choices)
    message = serializers.CharField()


class ProposalComparisonSerializer(serializers.Serializer[Any]):
    """Proposals beside people: `agreed` of `compared` tagged items got exactly what was proposed."""

    compared = serializers.IntegerField()
    agreed = serializers.IntegerField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    tags = reply_of(TagCount)(many=True)


class TaggingRoundSerializer(serializers.Serializer[Any]):
    """A round and how far it is; `comparison` is null for whoever still tags beside hidden proposals."""

    id = serializers.CharField()
    name = serializers.CharField()
    set = serializers.CharField()
    set_name = serializers.CharField()
    set_version = serializers.IntegerField()
    subject = serializers.ChoiceField(choices=TagSet.Subject.choices)
    filter = RoundFilterSerializer()
    judge = serializers.CharField()
    size = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField()
    population = serializers.IntegerField()
    proposals = serializers.ChoiceField(choices=TaggingRound.Proposals.choices)
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    proposed = serializers.IntegerField()
    not_proposed = serializers.IntegerField()
    proposed_by = serializers.CharField()
    proposer = ProposerSerializer(allow_null=True)
    comparison = ProposalComparisonSerializer(allow_null=True)
    taggers = serializers.ListField(child=serializers.CharField())
    may_tag = serializers.BooleanField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class RoundDetailSerializer(TaggingRoundSerializer):
    """A round with its tags and its items in the order of the work."""

    several = serializers.BooleanField()
    tags = FailureTagSerializer(many=True)
    items = reply_of(ItemLine, "RoundItem")(many=True)


class TaggerSerializer(serializers.Serializer[Any]):
    """A member who may tag."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField(source="user.name")


class TaggingSerializer(serializers.Serializer[Any]):
    """The rounds, and what a form for a new one needs."""

    rounds = TaggingRoundSerializer(many=True)
    runs = reply_of(TaggableRun)(many=True)
    taggers = TaggerSerializer(many=True)


def round_body(view: selectors.RoundView, *, member: Membership) -> dict[str, Any]:
    """Return a round in the shape `TaggingRoundSerializer` writes."""
    found = view.round
    return {
        "id": found.public_id,
        **{name: getattr(found, name) for name in ("name", "size", "seed", "population")},
        "filter": _filter_body(found.filter, member=member),
        "set": found.tag_set.key,
        "set_name": found.tag_set.name,
        "set_version": found.tag_set.version,
        "subject": found.tag_set.subject,
        "judge": selectors.judge_name(found),
        "proposals": found.proposals,
        **{
            name: getattr(view, name) for name in ("total", "done", "proposed", "not_proposed", "proposed_by")
        },
        "proposer": found.proposer_run,
        "comparison": _comparison_body(selectors.view_comparison(view=view, member=member)),
        "taggers": [
            each.member.user.name for each in found.named.select_related("member__user").order_by("pk")
        ],
        "may_tag": selectors.may_tag(tagging_round=found, member=member),
        "created_by": found.created_by.name,
        "created_at": found.created_at,
    }


def _filter_body(chosen: dict[str, Any], *, member: Membership) -> dict[str, Any]:
    """Say that a round is about one system, but not which to those who may not see systems."""
    is_hidden = bool(chosen.get("system")) and not sees_systems(member)
    return {**chosen, "system": HIDDEN_SYSTEM} if is_hidden else chosen


def _comparison_body(comparison: Comparison | None) -> dict[str, Any] | None:
    if comparison is None:
        return None
    interval = comparison.interval
    low, high = (None, None) if isinstance(interval, Undefined) else interval
    return {**comparison._asdict(), "low": low, "high": high}


def _detail_body(tagging_round: TaggingRound, *, member: Membership) -> dict[str, Any]:
    return {
        **round_body(selectors.describe_round(tagging_round), member=member),
        "several": tagging_round.tag_set.several,
        "tags": [tag.to_json() for tag in selectors.offered_tags(tagging_round)],
        "items": selectors.list_items(tagging_round=tagging_round),
    }


class RoundsView(ProjectView):
    """A project's tagging rounds."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})
    write_roles = frozenset({LEAD})

    @operation("list_tagging_rounds", gives=TaggingSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List the rounds, newest first, with the judges and people a new one may name."""
        rounds = selectors.list_rounds(project=self.project)
        body = {
            "rounds": [round_body(view, member=self.member) for view in rounds],
            "runs": selectors.list_runs(project=self.project),
            "taggers": selectors.list_taggers(project=self.project),
        }
        return Response(TaggingSerializer(body).data)

    @operation(
        "start_tagging_round",
        takes=RoundCreateSerializer,
        gives=RoundDetailSerializer,
        status=201,
        errors=(400, 409),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Draw a round."""
        form = self.read(RoundCreateSerializer)
        given = dict(form)
        started = services.start_round(
            project=self.project,
            by=self.user,
            set_key=given.pop("set"),
            wanted=Filter.from_json(given.pop("filter")),
            **given,
        )
        found = selectors.get_round(project=self.project, public_id=started.public_id)
        return Response(RoundDetailSerializer(_detail_body(found, member=self.member)).data, status=201)


class RoundPreviewView(ProjectView):
    """What a round would draw from, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "preview_tagging_round",
        takes=RoundPreviewRequestSerializer,
        gives=RoundPreviewSerializer,
        errors=(400, 404),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Count the items that fit, changing nothing."""
        form = self.read(RoundPreviewRequestSerializer)
        spec = selectors.find_spec(project=self.project, key=form["set"])
        wanted = Filter.from_json(form["filter"])
        population = services.foresee_round(project=self.project, subject=spec.subject, wanted=wanted)
        return Response(RoundPreviewSerializer({"population": population}).data)


class RoundView(ProjectView):
    """One round, for those who tag."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @operation("get_tagging_round", gives=RoundDetailSerializer, errors=(404,))
    def get(self, request: Request, slug: str, tagging_round: str) -> Response:
        """Return the round with its tags and items."""
        found = selectors.get_round(project=self.project, public_id=tagging_round)
        return Response(RoundDetailSerializer(_detail_body(found, member=self.member)).data)
