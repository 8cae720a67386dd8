"""HTTP for what a policy settled and what the audit says of it, for leads."""

from typing import Any

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.items.models import Candidate
from annotation.projects.api import LEAD, ProjectView
from common.web.http import PageSerializer, page_body
from common.web.replies import operation
from judges.prejudging import selectors
from judges.prejudging.rules import AuditFigures
from judges.prejudging.selectors import SettledAnswer

ANSWERS_A_PAGE = 50


class AuditQuerySerializer(serializers.Serializer[Any]):
    """Which application is meant; without an id all in force are."""

    application = serializers.CharField(required=False, default="", allow_blank=True)


class AuditFiguresSerializer(serializers.Serializer[Any]):
    """How often people decided otherwise than the machine would have: null where nobody knows, with words.

    unaudited: settled answers that could not be drawn.
    """

    settled = serializers.IntegerField()
    drawn = serializers.IntegerField()
    decided = serializers.IntegerField()
    open = serializers.IntegerField()
    disagreed = serializers.IntegerField()
    unaudited = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    words = serializers.CharField()


class AuditRuleSerializer(AuditFiguresSerializer):
    """One rule's audit."""

    number = serializers.IntegerField()
    text = serializers.CharField()


class AuditSerializer(serializers.Serializer[Any]):
    """The audit of applications; null and empty while none is in force; audit_share: null if it differs.

    Intervals hold at every look, those of all rules together, whichever of the `watched` rules that were ever
    applied, each counted once an application, are kept.
    """

    audit_share = serializers.FloatField(allow_null=True)
    rules = AuditRuleSerializer(many=True)
    pooled = AuditFiguresSerializer(allow_null=True)
    watched = serializers.IntegerField()


def figures_body(figures: AuditFigures) -> dict[str, Any]:
    """Return figures in the shape `AuditFiguresSerializer` writes."""
    counts = figures.counts
    return {
        **counts._asdict(),
        "open": counts.drawn - counts.decided,
        **{name: getattr(figures, name) for name in ("share", "low", "high", "words")},
    }


class AuditView(ProjectView):
    """How often people disagreed with the machine."""

    allowed_roles = frozenset({LEAD})

    @operation("get_prejudging_audit", query=[AuditQuerySerializer], gives=AuditSerializer, errors=(404,))
    def get(self, request: Request, slug: str) -> Response:
        """Return the audit of all applications in force, by rule and pooled, with intervals."""
        query = self.read_query(AuditQuerySerializer)
        applications = selectors.find_applications(project=self.project, public_id=query["application"])
        if not applications:
            return Response(
                AuditSerializer({"audit_share": None, "rules": [], "pooled": None, "watched": 0}).data
            )
        report = selectors.read_audit(project=self.project, applications=applications)
        body = {
            "audit_share": report.audit_share,
            "rules": [
                {"number": row.number, "text": row.text, **figures_body(row.figures)} for row in report.rules
            ],
            "pooled": figures_body(report.pooled),
            "watched": report.watched,
        }
        return Response(AuditSerializer(body).data)


class SettledQuerySerializer(AuditQuerySerializer):
    """Which answers are asked for; `audited` leaves only those drawn, or only those decided."""

    rule = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1)
    audited = serializers.BooleanField(required=False, default=None, allow_null=True)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class SettledVerdictSerializer(serializers.Serializer[Any]):
    """A verdict behind an answer, as it was when the answer was settled."""

    judge = serializers.CharField()
    accepted = serializers.BooleanField()
    score = serializers.FloatField(allow_null=True)


class SettledAnswerSerializer(serializers.Serializer[Any]):
    """An answer that a rule speaks for: `label` is the machine's, `people` what people decided since."""

    id = serializers.CharField()
    question = serializers.CharField()
    answer = serializers.CharField()
    state = serializers.ChoiceField(choices=Candidate.State.choices)
    rule = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    people = serializers.CharField(allow_null=True)
    audited = serializers.BooleanField()
    audit_probability = serializers.FloatField()
    verdicts = SettledVerdictSerializer(many=True)
    settled_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class SettledPageSerializer(PageSerializer):
    """A page of settled answers."""

    answers = SettledAnswerSerializer(many=True)


def settled_body(answer: SettledAnswer) -> dict[str, Any]:
    """Return an answer in the shape `SettledAnswerSerializer` writes."""
    row = answer.row
    return {
        "id": row.candidate.public_id,
        "question": row.candidate.question.text,
        "answer": row.candidate.text,
        "state": row.candidate.state,
        "rule": answer.rule,
        "label": row.label,
        "people": answer.people,
        "audited": row.is_audited,
        "audit_probability": row.audit_probability,
        "verdicts": [
            {"judge": judge, "accepted": said, "score": score} for judge, said, score in answer.verdicts
        ],
        "settled_at": row.settled_at,
        "undone_at": row.undone_at,
    }


class SettledAnswersView(ProjectView):
    """The answers that a policy settled."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "list_prejudged_answers", query=[SettledQuerySerializer], gives=SettledPageSerializer, errors=(404,)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of applications' answers; a page past the end is the last one."""
        query = self.read_query(SettledQuerySerializer)
        applications = selectors.find_applications(project=self.project, public_id=query["application"])
        rows = selectors.find_settled(
            applications=applications,
            rule=query["rule"],
            audited=query["audited"],
        )
        page = Paginator(rows, ANSWERS_A_PAGE).get_page(query["page"])
        described = selectors.describe_settled(
            project=self.project, rows=page.object_list, applications=applications
        )
        body = {
            **page_body(page),
            "answers": [settled_body(answer) for answer in described],
        }
        return Response(SettledPageSerializer(body).data)
