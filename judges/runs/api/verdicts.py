"""HTTP for what a run said, answer by answer."""

from typing import Any

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LEAD, ProjectView
from common.web.http import PageSerializer, page_body
from common.web.replies import operation
from judges.connections.api import MoneyField
from judges.runs import selectors
from judges.runs.models import Call

VERDICTS_A_PAGE = 50


class VerdictsQuerySerializer(serializers.Serializer[Any]):
    """Which verdicts are asked for; `reason` is why they are unscored, `flag` one of their flags."""

    verdict = serializers.ChoiceField(
        choices=list(selectors.VERDICTS), required=False, default="", allow_blank=True
    )
    reason = serializers.CharField(required=False, default="", allow_blank=True)
    flag = serializers.CharField(required=False, default="", allow_blank=True)
    search = serializers.CharField(required=False, default="", allow_blank=True)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class RunCallSerializer(serializers.Serializer[Any]):
    """One call to the provider; `error` says why it has no reply, `is_counted` whether its reply is used."""

    state = serializers.ChoiceField(choices=Call.State.choices)
    repeat = serializers.IntegerField()
    reply = serializers.CharField()
    model = serializers.CharField()
    finish_reason = serializers.CharField()
    cost = MoneyField()
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    seconds = serializers.FloatField()
    is_cache_hit = serializers.BooleanField()
    is_counted = serializers.BooleanField()
    error = serializers.CharField()
    created_at = serializers.DateTimeField()


class RunVerdictSerializer(serializers.Serializer[Any]):
    """A verdict with what the judge was given; `answer_id` names the answer's own page."""

    answer_id = serializers.CharField(source="verdict.candidate.public_id")
    question = serializers.CharField(source="verdict.candidate.question.text")
    answer = serializers.CharField(source="verdict.candidate.text")
    golds = serializers.ListField(child=serializers.CharField())
    accepted = serializers.BooleanField(source="verdict.accepted", allow_null=True)
    score = serializers.FloatField(source="verdict.score", allow_null=True)
    unscored_reason = serializers.CharField(source="verdict.unscored_reason")
    raw_reply = serializers.CharField(source="verdict.raw_reply")
    flags = serializers.ListField(child=serializers.CharField())
    judged_at = serializers.DateTimeField(source="verdict.judged_at")
    calls = RunCallSerializer(many=True)


class RunVerdictPageSerializer(PageSerializer):
    """A page of verdicts."""

    verdicts = RunVerdictSerializer(many=True)


class RunVerdictsView(ProjectView):
    """The verdicts of a run, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "list_run_verdicts",
        query=[VerdictsQuerySerializer],
        gives=RunVerdictPageSerializer,
        errors=(400, 404),
    )
    def get(self, request: Request, slug: str, run_id: str) -> Response:
        """Return a page of verdicts; a page past the end is the last one."""
        query = self.read_query(VerdictsQuerySerializer)
        wanted = dict(query)
        run = selectors.get_run(project=self.project, public_id=run_id)
        number = wanted.pop("page")
        page = Paginator(selectors.find_verdicts(run=run, **wanted), VERDICTS_A_PAGE).get_page(number)
        body = {
            **page_body(page),
            "verdicts": selectors.describe_verdicts(run, page.object_list),
        }
        return Response(RunVerdictPageSerializer(body).data)
