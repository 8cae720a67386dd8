"""HTTP for the items of a tagging round."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from annotation.projects.models import Membership
from annotation.projects.selectors import sees_systems
from common.web.replies import operation
from judges.tagging import selectors, services
from judges.tagging.models import TaggedItem

TAGGERS = frozenset({LEAD, ADJUDICATOR})


class ItemTaggingSerializer(serializers.Serializer[Any]):
    """What somebody said of an item, or that it was taken back."""

    number = serializers.IntegerField()
    is_withdrawal = serializers.BooleanField()
    tags = serializers.ListField(child=serializers.CharField())
    is_unattributable = serializers.BooleanField()
    note = serializers.CharField()
    by = serializers.CharField(source="tagged_by.name")
    at = serializers.DateTimeField(source="tagged_at")


class ItemProposalSerializer(serializers.Serializer[Any]):
    """What was proposed before people, and why; or why nothing could be (`failure`)."""

    tags = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    failure = serializers.CharField()
    signature = serializers.CharField()


class ItemVerdictSerializer(serializers.Serializer[Any]):
    """What the judge said when the round was drawn; its reply as long as the verdict stands."""

    accepted = serializers.BooleanField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    raw_reply = serializers.CharField()


class TaggedItemSerializer(serializers.Serializer[Any]):
    """Everything a tag on an item rests on; systems: null for those who may not see them."""

    id = serializers.CharField()
    answer_id = serializers.CharField(allow_null=True)
    question = serializers.CharField()
    gold = serializers.ListField(child=serializers.CharField())
    amended_gold = serializers.ListField(child=serializers.CharField())
    flags = serializers.ListField(child=serializers.CharField())
    answer = serializers.CharField(allow_null=True)
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    systems = serializers.ListField(child=serializers.CharField(), allow_null=True)
    verdict = ItemVerdictSerializer(allow_null=True)
    proposal = ItemProposalSerializer(allow_null=True)
    current = ItemTaggingSerializer(allow_null=True)
    history = ItemTaggingSerializer(many=True)


class TagItemSerializer(serializers.Serializer[Any]):
    """What is said of an item; `seen_number`: of the last row of its history, 0 where there is none."""

    tags = serializers.ListField(child=serializers.CharField(), max_length=30)
    is_unattributable = serializers.BooleanField(required=False, default=False)
    note = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    seen_number = serializers.IntegerField(min_value=0)


class WithdrawTaggingSerializer(serializers.Serializer[Any]):
    """Which state of the history is taken back."""

    seen_number = serializers.IntegerField(min_value=0)


REFUSALS = (400, 403, 404, 409)


def _verdict_body(item: TaggedItem) -> dict[str, Any] | None:
    if item.accepted is None and item.verdict is None:
        return None
    verdict = item.verdict
    return {
        "accepted": item.accepted,
        "score": verdict.score if verdict else None,
        "raw_reply": verdict.raw_reply if verdict else "",
    }


def _item_response(item: TaggedItem, *, member: Membership) -> Response:
    view = selectors.view_item(item=item, with_systems=sees_systems(member))
    body = {
        **view._asdict(),
        "id": item.public_id,
        "question": item.question.text,
        "answer_id": item.candidate.public_id if item.candidate else None,
        "answer": item.candidate.text if item.candidate else None,
        "verdict": _verdict_body(item),
    }
    return Response(TaggedItemSerializer(body).data)


def _change_item(
    view: ProjectView, form: serializers.Serializer[Any], item: TaggedItem, *, act: Callable[..., object]
) -> Response:
    form.is_valid(raise_exception=True)
    act(item=item, by=view.member, **form.validated_data)
    return _item_response(item, member=view.member)


class ItemView(ProjectView):
    """One item of a round."""

    allowed_roles = TAGGERS

    @operation("get_tagged_item", gives=TaggedItemSerializer, errors=(404,))
    def get(self, request: Request, slug: str, tagging_round: str, item: str) -> Response:
        """Return everything a tag rests on."""
        return _item_response(_find(self, tagging_round, item), member=self.member)


class ItemTagsView(ProjectView):
    """Tagging an item."""

    allowed_roles = TAGGERS

    @operation("tag_item", takes=TagItemSerializer, gives=TaggedItemSerializer, errors=REFUSALS)
    def post(self, request: Request, slug: str, tagging_round: str, item: str) -> Response:
        """Say what the item is tagged with; what was said before stays in its history."""
        found = _find(self, tagging_round, item)
        return _change_item(self, TagItemSerializer(data=request.data), found, act=services.tag_item)


class ItemWithdrawView(ProjectView):
    """Taking back what was said of an item."""

    allowed_roles = TAGGERS

    @operation(
        "withdraw_tagging", takes=WithdrawTaggingSerializer, gives=TaggedItemSerializer, errors=REFUSALS
    )
    def post(self, request: Request, slug: str, tagging_round: str, item: str) -> Response:
        """Take back what stands; the item is then open again."""
        found = _find(self, tagging_round, item)
        return _change_item(
            self, WithdrawTaggingSerializer(data=request.data), found, act=services.withdraw_tagging
        )


def _find(view: ProjectView, tagging_round: str, item: str) -> TaggedItem:
    found = selectors.get_round(project=view.project, public_id=tagging_round)
    return selectors.get_item(tagging_round=found, public_id=item)
