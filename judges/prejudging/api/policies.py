"""HTTP for saving, previewing, applying and undoing policies, for leads."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.models import User
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Project
from common.http import ErrorSerializer
from judges.prejudging import selectors, services
from judges.prejudging.models import PolicyApplication
from judges.prejudging.rules import (
    CONDITION_NAMES,
    DEFAULT_AUDIT_SHARE,
    MEANINGS,
    Condition,
    Meaning,
    read_rules,
)

CONDITIONS = [condition.value for condition in Condition]
MEANING_KEYS = [meaning.value for meaning in Meaning]
LARGEST_SEED = 2**53 - 1


class PolicyRuleInputSerializer(serializers.Serializer[Any]):
    """A rule as it is saved: runs by their ids, and what their verdicts must say."""

    runs = serializers.ListField(child=serializers.CharField(), allow_empty=False, max_length=20)
    condition = serializers.ChoiceField(choices=CONDITIONS)


class PolicyInputSerializer(serializers.Serializer[Any]):
    """A policy; what is left out stays as it was saved. A preview may try one that is not saved."""

    rules = PolicyRuleInputSerializer(many=True, required=False)
    audit_share = serializers.FloatField(required=False, min_value=0.0, max_value=1.0)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_SEED)


class PolicyRuleSerializer(PolicyRuleInputSerializer):
    """A saved rule, in words as well."""

    meaning = serializers.ChoiceField(choices=MEANING_KEYS)
    text = serializers.CharField()


class PolicyConditionSerializer(serializers.Serializer[Any]):
    """What the verdicts of a rule may have to say, and what it makes of the answer then."""

    key = serializers.ChoiceField(choices=CONDITIONS)
    name = serializers.CharField()
    meaning = serializers.ChoiceField(choices=MEANING_KEYS)


class ChoosableRunSerializer(serializers.Serializer[Any]):
    """A run that a rule may name; `judged` counts the verdicts that could settle an answer."""

    id = serializers.CharField()
    judge = serializers.CharField()
    name = serializers.CharField()
    signature = serializers.CharField()
    state = serializers.CharField()
    judged = serializers.IntegerField()


class ApplicationRuleSerializer(serializers.Serializer[Any]):
    """A rule of an application: how many answers it decided and drew for raters, those undone left out."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    meaning = serializers.ChoiceField(choices=MEANING_KEYS)
    signatures = serializers.ListField(child=serializers.CharField())
    decided = serializers.IntegerField()
    drawn = serializers.IntegerField()


class PolicyApplicationSerializer(serializers.Serializer[Any]):
    """A policy as it was applied; `undone` counts answers that were given back."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=PolicyApplication.State.choices)
    rules = ApplicationRuleSerializer(many=True)
    audit_share = serializers.FloatField()
    seed = serializers.IntegerField()
    decided = serializers.IntegerField()
    drawn = serializers.IntegerField()
    undone = serializers.IntegerField()
    applied_by = serializers.CharField()
    applied_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    undone_by = serializers.CharField()
    undo_reason = serializers.CharField()
    undone_at = serializers.DateTimeField(allow_null=True)


class PolicySerializer(serializers.Serializer[Any]):
    """The saved policy with what a form needs, and every application, newest first."""

    rules = PolicyRuleSerializer(many=True)
    audit_share = serializers.FloatField()
    seed = serializers.IntegerField(allow_null=True)
    saved_by = serializers.CharField()
    saved_at = serializers.DateTimeField(allow_null=True)
    conditions = PolicyConditionSerializer(many=True)
    runs = ChoosableRunSerializer(many=True)
    applications = PolicyApplicationSerializer(many=True)


class PreviewVerdictSerializer(serializers.Serializer[Any]):
    """A verdict behind an answer."""

    judge = serializers.CharField()
    accepted = serializers.BooleanField()


class PreviewAnswerSerializer(serializers.Serializer[Any]):
    """One of the answers that a rule would settle."""

    id = serializers.CharField()
    question = serializers.CharField()
    answer = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    verdicts = PreviewVerdictSerializer(many=True)


class PreviewRuleSerializer(serializers.Serializer[Any]):
    """What one rule would do."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    decided = serializers.IntegerField()
    drawn = serializers.IntegerField()
    sample = PreviewAnswerSerializer(many=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What a policy would do with the `open` answers: decide some, draw some for raters, leave the rest."""

    rules = PreviewRuleSerializer(many=True)
    open = serializers.IntegerField()
    decided = serializers.IntegerField()
    drawn = serializers.IntegerField()
    to_people = serializers.IntegerField()


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
        "applied_by": application.applied_by.name if application.applied_by else "",
        "undone_by": application.undone_by.name if application.undone_by else "",
        **{
            name: getattr(application, name)
            for name in ("applied_at", "finished_at", "undo_reason", "undone_at")
        },
    }


def policy_body(project: Project) -> dict[str, Any]:
    """Return a project's policy in the shape `PolicySerializer` writes."""
    policy = selectors.get_policy(project=project)
    rules = read_rules(policy.rules) if policy else ()
    spelled = selectors.spell_rules(project=project, rules=rules)
    return {
        "rules": [
            {**words, "meaning": rule.meaning.value} for rule, words in zip(rules, spelled, strict=True)
        ],
        "audit_share": policy.audit_share if policy else DEFAULT_AUDIT_SHARE,
        "seed": policy.seed if policy else None,
        "saved_by": policy.saved_by.name if policy and policy.saved_by else "",
        "saved_at": policy.saved_at if policy else None,
        "conditions": [
            {"key": key.value, "name": name, "meaning": MEANINGS[key].value}
            for key, name in CONDITION_NAMES.items()
        ],
        "runs": selectors.list_runs(project=project),
        "applications": [application_body(each) for each in selectors.list_applications(project=project)],
    }


class PolicyView(ProjectView):
    """A study's policy, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_prejudging", responses=PolicySerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the policy, the runs it may name, and what was applied so far."""
        return Response(PolicySerializer(policy_body(self.project)).data)

    @extend_schema(
        operation_id="save_prejudging",
        request=PolicyInputSerializer,
        responses={200: PolicySerializer, 400: ErrorSerializer},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Save the policy; nothing is settled until it is applied."""
        form = PolicyInputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        policy = services.make_policy(project=self.project, **form.validated_data)
        services.save_policy(project=self.project, policy=policy, by=cast(User, request.user))
        return Response(PolicySerializer(policy_body(self.project)).data)


class PreviewView(ProjectView):
    """What a policy would do, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="preview_prejudging",
        request=PolicyInputSerializer,
        responses={200: PreviewSerializer, 400: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Count what each rule would settle, changing nothing; without a body, of the saved policy."""
        form = PolicyInputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        policy = services.make_policy(project=self.project, **form.validated_data)
        preview = selectors.preview_rules(project=self.project, **policy._asdict())
        return Response(PreviewSerializer(preview_body(preview)).data)


def preview_body(preview: selectors.Preview) -> dict[str, Any]:
    """Return a preview in the shape `PreviewSerializer` writes."""
    return {
        **preview._asdict(),
        "rules": [
            {
                **row._asdict(),
                "sample": [
                    {
                        **answer._asdict(),
                        "verdicts": [{"judge": judge, "accepted": said} for judge, said in answer.verdicts],
                    }
                    for answer in row.sample
                ],
            }
            for row in preview.rules
        ],
    }


class ApplyView(ProjectView):
    """Applying the saved policy, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="apply_prejudging",
        request=None,
        responses={200: PolicyApplicationSerializer, 400: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Settle what the saved policy leaves to machines; applied again it takes what is new."""
        application = services.apply_policy(project=self.project, by=cast(User, request.user))
        return _begun(application)


class UndoView(ProjectView):
    """Undoing an application, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="undo_prejudging",
        request=UndoPolicySerializer,
        responses={
            200: PolicyApplicationSerializer,
            400: ErrorSerializer,
            404: ErrorSerializer,
            409: ErrorSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give back to raters what an application settled, or what one rule of it did."""
        form = UndoPolicySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        found = selectors.get_application(project=self.project, public_id=form.validated_data["application"])
        application = services.undo_application(
            application=found,
            by=cast(User, request.user),
            reason=form.validated_data["reason"],
            rule=form.validated_data["rule"],
        )
        return _begun(application)


def _begun(application: PolicyApplication) -> Response:
    services.work_if_small(application_id=application.pk)
    application.refresh_from_db()
    return Response(PolicyApplicationSerializer(application_body(application)).data)
