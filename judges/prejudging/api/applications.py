"""HTTP for applying policies and undoing them, for leads."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import LEAD, ProjectView
from common.web.replies import operation
from judges.prejudging import selectors, services
from judges.prejudging.models import PolicyApplication
from judges.prejudging.rules import Meaning, read_rules

MEANING_KEYS = [meaning.value for meaning in Meaning]


class ApplicationRuleSerializer(serializers.Serializer[Any]):
    """A rule of an application: how many answers it decided and drew for raters, those undone left out."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    meaning = serializers.ChoiceField(choices=MEANING_KEYS)
    signatures = serializers.ListField(child=serializers.CharField())
    decided = serializers.IntegerField()
    drawn = serializers.IntegerField()


class PolicyApplicationSerializer(serializers.Serializer[Any]):
    """An application; `undone`: answers given back; `undone_draws`: of these, drawn for the audit."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=PolicyApplication.State.choices)
    rules = ApplicationRuleSerializer(many=True)
    audit_share = serializers.FloatField()
    seed = serializers.IntegerField()
    decided = serializers.IntegerField()
    drawn = serializers.IntegerField()
    undone = serializers.IntegerField()
    undone_draws = serializers.IntegerField()
    applied_by = serializers.CharField()
    applied_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    undone_by = serializers.CharField()
    undo_reason = serializers.CharField()
    undone_at = serializers.DateTimeField(allow_null=True)


class UndoPolicySerializer(serializers.Serializer[Any]):
    """Which application is undone, or which one rule of it, and why."""

    application = serializers.CharField()
    rule = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    reason = serializers.CharField()


def application_body(application: PolicyApplication) -> dict[str, Any]:
    """Return an application in the shape `PolicyApplicationSerializer` writes."""
    counts = selectors.count_answers(application=application)
    rules = read_rules(application.rules)
    return {
        "id": application.public_id,
        **{name: getattr(application, name) for name in ("number", "state", "audit_share", "seed")},
        "rules": [
            {
                "number": number,
                "text": spelled["text"],
                "meaning": rule.meaning.value,
                "signatures": spelled["signatures"],
                **counts.rules[number]._asdict(),
            }
            for number, (rule, spelled) in enumerate(zip(rules, application.rules, strict=True), start=1)
        ],
        "decided": sum(rule.decided for rule in counts.rules.values()),
        "drawn": sum(rule.drawn for rule in counts.rules.values()),
        "undone": counts.undone,
        "undone_draws": counts.undone_draws,
        "applied_by": application.applied_by.name if application.applied_by else "",
        "undone_by": application.undone_by.name if application.undone_by else "",
        **{
            name: getattr(application, name)
            for name in ("applied_at", "finished_at", "undo_reason", "undone_at")
        },
    }


class ApplyView(ProjectView):
    """Applying the saved policy, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("apply_prejudging", gives=PolicyApplicationSerializer, errors=(400,))
    def post(self, request: Request, slug: str) -> Response:
        """Settle what the saved policy leaves to machines; applied again it takes what is new."""
        application = services.apply_policy(project=self.project, by=self.user)
        return _begun(application)


class UndoView(ProjectView):
    """Undoing an application, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "undo_prejudging",
        takes=UndoPolicySerializer,
        gives=PolicyApplicationSerializer,
        errors=(400, 404, 409),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give back to raters what an application settled, or what one rule of it did."""
        form = self.read(UndoPolicySerializer)
        found = selectors.get_application(project=self.project, public_id=form["application"])
        application = services.undo_application(
            application=found,
            by=self.user,
            reason=form["reason"],
            rule=form["rule"],
        )
        return _begun(application)


def _begun(application: PolicyApplication) -> Response:
    services.work_if_small(application_id=application.pk)
    application.refresh_from_db()
    return Response(PolicyApplicationSerializer(application_body(application)).data)
