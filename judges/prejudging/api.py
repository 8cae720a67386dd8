"""HTTP for pre-judging: a study's policy, what it would do, did, and how often people disagreed."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LeadAndViewerView, LeadView
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import NumberField, operation, reply
from judges.prejudging.models import PolicyApplication
from judges.prejudging.rules.audit import AuditReport
from judges.prejudging.rules.certificates import (
    DEFAULT_ALPHA,
    DEFAULT_DELTA,
    LARGEST_LEVEL,
    LARGEST_SAMPLE,
    SMALLEST_LEVEL,
    USUAL_SAMPLE,
)
from judges.prejudging.rules.decided_by import DecidedBy
from judges.prejudging.rules.policies import (
    DEFAULT_AUDIT_SHARE,
    LARGEST_RULE_COUNT,
    LEAST_SURE,
    Condition,
)
from judges.prejudging.rules.routing import SMALLEST_AUDIT
from judges.prejudging.selectors import audit, certificates, policies
from judges.prejudging.selectors.audit import SettledAnswer
from judges.prejudging.selectors.certificates import CalibrationState, CertificateLine
from judges.prejudging.selectors.decided_by import read_decided_by
from judges.prejudging.selectors.policies import AppliedPolicy, Policy
from judges.prejudging.selectors.routing.replays import RoutingReplay, replay_routing
from judges.prejudging.selectors.routing.switches import RoutingState, get_routing, read_routing
from judges.prejudging.services import certificates as certifying
from judges.prejudging.services import policies as services
from judges.prejudging.services import routing as switching

LARGEST_SEED = 2**53 - 1
ANSWERS_A_PAGE = 50


class PolicyRuleInputSerializer(serializers.Serializer[Any]):
    """A rule to save.

    `runs`: the IDs of its runs. `condition`: what their verdicts must say. `threshold`: the minimum
    confidence of the runs; null if only the verdicts count. `certificate`: the ID of the rule’s certificate,
    or empty.
    """

    runs = serializers.ListField(child=serializers.CharField(), allow_empty=False, max_length=20)
    condition = serializers.ChoiceField(choices=[condition.value for condition in Condition])
    threshold = NumberField(required=False, allow_null=True, min_value=LEAST_SURE, max_value=1.0)
    certificate = serializers.CharField(required=False, allow_blank=True, max_length=20)


class PolicyInputSerializer(serializers.Serializer[Any]):
    """A policy to save or to preview. Omitted fields keep their saved values."""

    rules = PolicyRuleInputSerializer(many=True, required=False)
    audit_share = NumberField(required=False, min_value=0.0, max_value=1.0)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_SEED)


class PreviewInputSerializer(PolicyInputSerializer):
    """A policy to preview.

    `sample`: the number of the random sample of answers to show, starting with 1.
    """

    sample = serializers.IntegerField(required=False, default=1, min_value=1, max_value=LARGEST_SEED)


class DrawSampleSerializer(serializers.Serializer[Any]):
    """How many answers to sample for people to judge.

    `holds_others`: whether annotators get only these answers until a policy is applied.
    """

    size = serializers.IntegerField(
        required=False, default=USUAL_SAMPLE, min_value=1, max_value=LARGEST_SAMPLE
    )
    holds_others = serializers.BooleanField(required=False, default=False)


class HoldOthersSerializer(serializers.Serializer[Any]):
    """Whether annotators get only answers from the current sample."""

    holds_others = serializers.BooleanField()


class CertifySerializer(serializers.Serializer[Any]):
    """Which of these rules to certify, with the maximum error rate and the risk.

    `number`: the rule’s place, from 1. `alpha`: the maximum error rate. `delta`: the risk, that is, the
    probability that a certified rule exceeds this rate.
    """

    rules = PolicyRuleInputSerializer(many=True)
    number = serializers.IntegerField(min_value=1, max_value=LARGEST_RULE_COUNT)
    alpha = NumberField(
        required=False, default=DEFAULT_ALPHA, min_value=SMALLEST_LEVEL, max_value=LARGEST_LEVEL
    )
    delta = NumberField(
        required=False, default=DEFAULT_DELTA, min_value=SMALLEST_LEVEL, max_value=LARGEST_LEVEL
    )


class UndoPolicySerializer(serializers.Serializer[Any]):
    """Which application to undo, or which of its rules, and why."""

    application = serializers.CharField()
    rule = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    reason = serializers.CharField()


class AuditQuerySerializer(serializers.Serializer[Any]):
    """Which application is meant; without an id all in force are."""

    application = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)


class SettledQuerySerializer(AuditQuerySerializer):
    """Which answers are asked for; `audited` leaves only those drawn, or only those decided."""

    rule = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1)
    audited = serializers.BooleanField(required=False, default=None, allow_null=True)
    limit = limit_field(ANSWERS_A_PAGE)
    cursor = cursor_field()


class PolicyView(LeadView):
    """A study's policy."""

    @operation("get_prejudging", gives=Policy)
    def get(self, request: Request, slug: str) -> Response:
        """Return the policy, the runs that it may use, and its applications so far."""
        return reply(policies.read_policy(project=self.project))

    @operation("save_prejudging", takes=PolicyInputSerializer, gives=Policy)
    def put(self, request: Request, slug: str) -> Response:
        """Save the policy; nothing is settled until it is applied."""
        policy = services.make_policy(project=self.project, **self.read(PolicyInputSerializer))
        services.save_policy(project=self.project, policy=policy, by=self.user)
        return reply(policies.read_policy(project=self.project))


class ApplyView(LeadView):
    """Applying the saved policy."""

    @operation("apply_prejudging", gives=AppliedPolicy)
    def post(self, request: Request, slug: str) -> Response:
        """Settle answers by the saved policy; applied again, it settles new answers."""
        return _begun(services.apply_policy(project=self.project, by=self.user))


class CalibrationView(LeadView):
    """The calibration sample and the certificates that came of such."""

    @operation("get_calibration", gives=CalibrationState)
    def get(self, request: Request, slug: str) -> Response:
        """Return the current calibration sample, its progress, and all certificates."""
        return reply(certificates.read_calibration(project=self.project))

    @operation("draw_calibration", takes=DrawSampleSerializer, gives=CalibrationState)
    def post(self, request: Request, slug: str) -> Response:
        """Create a calibration sample that only people judge; this closes the current one."""
        certifying.draw_sample(project=self.project, by=self.user, **self.read(DrawSampleSerializer))
        return reply(certificates.read_calibration(project=self.project))

    @operation("hold_others", takes=HoldOthersSerializer, gives=CalibrationState)
    def patch(self, request: Request, slug: str) -> Response:
        """Choose whether annotators get only the sample until a policy is applied."""
        certifying.hold_others(project=self.project, **self.read(HoldOthersSerializer))
        return reply(certificates.read_calibration(project=self.project))

    @operation("drop_calibration", gives=CalibrationState)
    def delete(self, request: Request, slug: str) -> Response:
        """Close the sample; judges may then settle its undecided answers."""
        certifying.drop_sample(project=self.project, by=self.user)
        return reply(certificates.read_calibration(project=self.project))


class CertificatesView(LeadView):
    """Certifying a rule."""

    @operation("certify_rule", takes=CertifySerializer, gives=CertificateLine)
    def post(self, request: Request, slug: str) -> Response:
        """Certify a rule for a maximum error rate, or return why that is not possible; each attempt on a
        sample counts."""
        made = certifying.certify_rule(project=self.project, by=self.user, **self.read(CertifySerializer))
        lapse = certificates.find_lapse(project=self.project, certificate=made)
        return reply(certificates.describe_certificate(made, lapse))


class UndoView(LeadView):
    """Undoing an application."""

    @operation("undo_prejudging", takes=UndoPolicySerializer, gives=AppliedPolicy)
    def post(self, request: Request, slug: str) -> Response:
        """Send back to annotators the answers that an application, or one of its rules, settled."""
        form = self.read(UndoPolicySerializer)
        found = policies.get_application(project=self.project, public_id=form["application"])
        undone = services.undo_application(
            application=found, by=self.user, reason=form["reason"], rule=form["rule"]
        )
        return _begun(undone)


def _begun(application: PolicyApplication) -> Response:
    services.work_if_small(application_id=application.pk)
    application.refresh_from_db()
    return reply(policies.describe_application(application))


class AuditView(LeadAndViewerView):
    """How often people disagreed with the machine."""

    @operation("get_prejudging_audit", query=[AuditQuerySerializer], gives=AuditReport)
    def get(self, request: Request, slug: str) -> Response:
        """Return the audit of all active applications, by rule and pooled, with intervals."""
        asked = self.read_query(AuditQuerySerializer)
        applications = policies.find_applications(project=self.project, public_id=asked["application"])
        return reply(audit.read_audit(project=self.project, applications=applications))


class DecidedByView(LeadView):
    """Who decided the study's answers."""

    @operation("get_decided_by", gives=DecidedBy)
    def get(self, request: Request, slug: str) -> Response:
        """Count the study’s answers, each once, by who decided it and why."""
        return reply(read_decided_by(project=self.project))


@dataclass(frozen=True)
class SettledPage(Paged):
    """A page of settled answers."""

    answers: list[SettledAnswer]


class SettledAnswersView(LeadView):
    """The answers that a policy settled."""

    @operation("list_prejudged_answers", query=[SettledQuerySerializer], gives=SettledPage)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of settled answers."""
        asked = self.read_query(SettledQuerySerializer)
        applications = policies.find_applications(project=self.project, public_id=asked["application"])
        rows = audit.find_settled(applications=applications, rule=asked["rule"], audited=asked["audited"])
        page = cut_page(request, rows, asked)
        answers = audit.describe_settled(project=self.project, rows=page.rows, applications=applications)
        return reply(SettledPage(**page.place, answers=answers))


class ReplayQuerySerializer(serializers.Serializer[Any]):
    """Which run is tried beside one annotator, and which share would go to more annotators for the audit."""

    run = serializers.CharField(max_length=20)
    audit_share = NumberField(
        required=False, default=DEFAULT_AUDIT_SHARE, min_value=SMALLEST_AUDIT, max_value=1.0
    )


class RoutingInputSerializer(ReplayQuerySerializer):
    """The routing rule to turn on.

    `threshold`: the minimum confidence of the run; null if the run does not report its confidence.
    """

    threshold = NumberField(required=False, allow_null=True, min_value=LEAST_SURE, max_value=1.0)


class EndRoutingSerializer(serializers.Serializer[Any]):
    """How to end a routing rule.

    `gives_back`: whether answers that it settled also return to annotators under the full protocol.
    """

    gives_back = serializers.BooleanField()
    reason = serializers.CharField(required=False, default="", allow_blank=True)


class RoutingView(LeadView):
    """How many annotators are asked first."""

    @operation("get_routing", gives=RoutingState)
    def get(self, request: Request, slug: str) -> Response:
        """Return the routing rules that were turned on, newest first, with their results."""
        return reply(read_routing(project=self.project))

    @operation("start_routing", takes=RoutingInputSerializer, gives=RoutingState)
    def post(self, request: Request, slug: str) -> Response:
        """Turn on routing: one annotator judges first, and no other if the run agrees."""
        form = self.read(RoutingInputSerializer)
        switching.start_routing(
            project=self.project,
            run=form["run"],
            threshold=form.get("threshold"),
            audit_share=form["audit_share"],
            by=self.user,
        )
        return reply(read_routing(project=self.project))


class RoutingReplayView(LeadView):
    """A rule of routing tried on the study itself."""

    @operation("replay_routing", query=[ReplayQuerySerializer], gives=RoutingReplay)
    def get(self, request: Request, slug: str) -> Response:
        """Return what routing would have saved and changed on fully judged answers, by confidence."""
        return reply(replay_routing(project=self.project, **self.read_query(ReplayQuerySerializer)))


class EndRoutingView(LeadView):
    """The end of a rule of routing."""

    @operation("end_routing", takes=EndRoutingSerializer, gives=RoutingState)
    def post(self, request: Request, slug: str, routing_id: str) -> Response:
        """Turn off a routing rule, or undo everything it settled."""
        found = get_routing(project=self.project, public_id=routing_id)
        switching.end_routing(routing=found, by=self.user, **self.read(EndRoutingSerializer))
        return reply(read_routing(project=self.project))
