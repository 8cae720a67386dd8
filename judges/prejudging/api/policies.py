"""HTTP for reading and saving a study's policy, for leads."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Project
from common.web.http import NumberField
from common.web.replies import operation, reply_of
from judges.prejudging import selectors, services
from judges.prejudging.api.applications import MEANING_KEYS, PolicyApplicationSerializer, application_body
from judges.prejudging.rules import (
    CONDITION_NAMES,
    DEFAULT_AUDIT_SHARE,
    MEANINGS,
    Condition,
    read_rules,
)
from judges.prejudging.selectors.policies import ChoosableRun

CONDITIONS = [condition.value for condition in Condition]
LARGEST_SEED = 2**53 - 1


class PolicyRuleInputSerializer(serializers.Serializer[Any]):
    """A rule as it is saved: runs by their ids, and what their verdicts must say."""

    runs = serializers.ListField(child=serializers.CharField(), allow_empty=False, max_length=20)
    condition = serializers.ChoiceField(choices=CONDITIONS)


class PolicyInputSerializer(serializers.Serializer[Any]):
    """A policy; what is left out stays as it was saved. A preview may try one that is not saved."""

    rules = PolicyRuleInputSerializer(many=True, required=False)
    audit_share = NumberField(required=False, min_value=0.0, max_value=1.0)
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


class PolicySerializer(serializers.Serializer[Any]):
    """The saved policy with what a form needs, and every application, newest first."""

    rules = PolicyRuleSerializer(many=True)
    audit_share = serializers.FloatField()
    seed = serializers.IntegerField(allow_null=True)
    saved_by = serializers.CharField()
    saved_at = serializers.DateTimeField(allow_null=True)
    conditions = PolicyConditionSerializer(many=True)
    runs = reply_of(ChoosableRun)(many=True)
    applications = PolicyApplicationSerializer(many=True)


def read_policy(request: Request, *, project: Project) -> services.CheckedPolicy:
    """Return the policy a request's body describes, with what it leaves out as it was saved."""
    form = PolicyInputSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    return services.make_policy(project=project, **form.validated_data)


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

    @operation("get_prejudging", gives=PolicySerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the policy, the runs it may name, and what was applied so far."""
        return Response(PolicySerializer(policy_body(self.project)).data)

    @operation("save_prejudging", takes=PolicyInputSerializer, gives=PolicySerializer, errors=(400,))
    def put(self, request: Request, slug: str) -> Response:
        """Save the policy; nothing is settled until it is applied."""
        policy = read_policy(request, project=self.project)
        services.save_policy(project=self.project, policy=policy, by=self.user)
        return Response(PolicySerializer(policy_body(self.project)).data)
