"""HTTP for proposals: what may join gold lists, what it would do, and letting it join."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.gold.rules.proposals import ProposalKind
from annotation.gold.selectors.proposals import count_dismissed
from annotation.gold.services import proposals as services
from annotation.projects.api.access import LeadView, kept_reply
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import operation, reply
from judges.comparison.selectors.leaderboard.proposals import (
    Part,
    ProposalRow,
    ProposalsPreview,
    choose_proposals,
    describe_proposals,
    find_effects,
    is_in_part,
    order_of,
    preview_proposals,
)

PROPOSALS_A_PAGE = 25
KINDS = [kind.value for kind in ProposalKind]
PARTS = [part.value for part in Part]
LONGEST_ID = 60


class ProposalsForm(serializers.Serializer[Any]):
    """Which proposals: of a kind, of a part of the list, to a question by its id."""

    kind = serializers.ChoiceField(choices=KINDS, required=False, default="", allow_blank=True)
    part = serializers.ChoiceField(choices=PARTS, required=False, default=Part.ALL.value)
    question = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    limit = limit_field(PROPOSALS_A_PAGE)
    cursor = cursor_field()


@dataclass(frozen=True)
class Proposals(Paged):
    """A page of proposals.

    `all`: the number of proposals, excluding dismissed ones. `safe`: the number that would accept no answer
    that people rejected. `wrong`: the number that would accept such an answer. `dismissed`: the number of
    dismissed proposals.
    """

    all: int
    safe: int
    wrong: int
    dismissed: int
    proposals: list[ProposalRow]


class ProposalsView(LeadView):
    """Proposals for gold lists."""

    @operation("list_gold_proposals", query=[ProposalsForm], gives=Proposals)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """List proposals with their effects."""
        query = self.read_query(ProposalsForm)
        found = find_effects(self.project)
        part, kind = Part(query["part"]), query["kind"]
        listed = [
            each
            for each in found
            if is_in_part(each, part)
            and kind in ("", each.proposal.kind.value)
            and query["question"] in ("", each.id.rpartition("-")[0])
        ]
        page = cut_page(request, listed, query, key=order_of)
        wrong = sum(bool(each.effect.wrong) for each in found)
        return reply(
            Proposals(
                **page.place,
                all=len(found),
                safe=len(found) - wrong,
                wrong=wrong,
                dismissed=count_dismissed(project=self.project),
                proposals=describe_proposals(project=self.project, found=page.rows),
            )
        )


class ChosenForm(serializers.Serializer[Any]):
    """The IDs of proposals, or `all_safe` for all that would not accept an answer people rejected."""

    ids = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_ID),
        required=False,
        default=list,
        max_length=services.MOST_AT_ONCE,
    )
    all_safe = serializers.BooleanField(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a choice of nothing, and of both."""
        if bool(attrs["ids"]) == attrs["all_safe"]:
            raise serializers.ValidationError({"ids": "Choose proposals, or choose all safe proposals."})
        return attrs


class AcceptForm(ChosenForm):
    """Proposals to accept, and why.

    `reason`: if empty, each change says what its proposal is based on.
    """

    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=2000)


@dataclass(frozen=True)
class AcceptedProposals:
    """The result of accepting proposals together.

    `group`: the ID with which to undo them together. `changes`: the number of changes.
    """

    group: str
    changes: int


class PreviewProposalsView(LeadView):
    """What accepting several would do."""

    @operation("preview_gold_proposals", takes=ChosenForm, gives=ProposalsPreview, takes_key=False)
    def post(self, request: Request, slug: str) -> Response:
        """Return the effects of accepting these proposals together; nothing is saved."""
        form = self.read(ChosenForm)
        return reply(preview_proposals(project=self.project, ids=form["ids"] or None))


class AcceptProposalsView(LeadView):
    """Accepting."""

    @operation("accept_gold_proposals", takes=AcceptForm, gives=AcceptedProposals, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Accept proposals as one group that can be undone together."""
        form = self.read(AcceptForm)
        ids = form["ids"] or [each.id for each in choose_proposals(project=self.project, ids=None)]
        accepted = services.accept_proposals(
            project=self.project,
            ids=ids,
            by=self.user,
            reason=form["reason"],
            skips_gone=form["all_safe"],
        )
        return reply(AcceptedProposals(accepted.group, accepted.changes), status=201)


class DismissForm(serializers.Serializer[Any]):
    """The IDs of the proposals."""

    ids = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_ID), min_length=1, max_length=services.MOST_AT_ONCE
    )


@dataclass(frozen=True)
class DismissedProposals:
    """How many proposals were dismissed or restored."""

    count: int


class DismissProposalsView(LeadView):
    """Putting aside, and proposing again."""

    @operation("dismiss_gold_proposals", takes=DismissForm, gives=DismissedProposals)
    def post(self, request: Request, slug: str) -> Response:
        """Dismiss proposals."""
        form = self.read(DismissForm)
        return reply(
            DismissedProposals(
                services.dismiss_proposals(project=self.project, ids=form["ids"], by=self.user)
            )
        )

    @operation("restore_gold_proposals", gives=DismissedProposals)
    def delete(self, request: Request, slug: str) -> Response:
        """Restore all dismissed proposals."""
        return reply(DismissedProposals(services.restore_dismissed(project=self.project)))


class UndoGroupForm(serializers.Serializer[Any]):
    """The reason for undoing a group."""

    reason = serializers.CharField(max_length=2000)


class UndoGroupView(LeadView):
    """Undoing what was accepted together."""

    @operation("undo_gold_group", takes=UndoGroupForm, gives=AcceptedProposals)
    def post(self, request: Request, slug: str, group: str) -> Response:
        """Undo the remaining changes of a group, with a reason."""
        form = self.read(UndoGroupForm)
        count = services.undo_group(project=self.project, group=group, by=self.user, reason=form["reason"])
        return reply(AcceptedProposals(group, count))
