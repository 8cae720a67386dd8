"""HTTP for systems and the judged sample."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.models import User
from annotation.items import selectors, services
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Project
from common.http import ErrorSerializer


class SystemDescriptionSerializer(serializers.Serializer[Any]):
    """What is known of a system; all of it may be left out."""

    retrieval_depth = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    size_bytes = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    track = serializers.CharField(max_length=100, required=False, allow_null=True, allow_blank=True)
    closed_book = serializers.BooleanField(required=False, allow_null=True)


class SystemSerializer(serializers.Serializer[Any]):
    """A system under evaluation."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    group = serializers.CharField(allow_blank=True)
    description = SystemDescriptionSerializer()
    prediction_count = serializers.IntegerField()


class SystemChangeSerializer(serializers.Serializer[Any]):
    """What of a system can be changed."""

    label = serializers.CharField(max_length=200, required=False)  # type: ignore[assignment]
    description = SystemDescriptionSerializer(required=False)


class SystemsView(ProjectView):
    """The systems, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_systems", responses=SystemSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the systems by name."""
        return Response(SystemSerializer(selectors.list_systems(project=self.project), many=True).data)


class SystemView(ProjectView):
    """One system, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="change_system",
        request=SystemChangeSerializer,
        responses={200: SystemSerializer, 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def patch(self, request: Request, slug: str, **route: str) -> Response:
        """Change what pages call the system, or how it is described."""
        form = SystemChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        system = services.describe_system(
            project=self.project, public_id=self.kwargs["id"], **form.validated_data
        )
        return Response(SystemSerializer(system).data)


class SampleSerializer(serializers.Serializer[Any]):
    """How many questions there are, how many people judge, how these were chosen; judged: with votes."""

    questions = serializers.IntegerField()
    sampled = serializers.IntegerField()
    judged = serializers.IntegerField()
    method = serializers.ChoiceField(choices=Project.SampleMethod.choices)
    options = serializers.DictField()


class SampleChangeSerializer(serializers.Serializer[Any]):
    """How to choose: size and seed, data set and tag, questions by text or id, or those with votes."""

    method = serializers.ChoiceField(choices=Project.SampleMethod.choices)
    size = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    seed = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    dataset = serializers.CharField(required=False, allow_blank=True, default="")
    tag = serializers.CharField(required=False, allow_blank=True, default="")
    questions = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class SampleView(ProjectView):
    """The judged sample, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_sample", responses=SampleSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Say how much of the project people judge."""
        return Response(SampleSerializer(selectors.get_sample(project=self.project)).data)

    @extend_schema(
        operation_id="set_sample",
        request=SampleChangeSerializer,
        responses={200: SampleSerializer, 400: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Choose which questions people judge."""
        form = SampleChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        return Response(
            SampleSerializer(services.set_sample(project=self.project, **form.validated_data)).data
        )


class CorrectionInputSerializer(serializers.Serializer[Any]):
    """What the question should say, and why."""

    text = serializers.CharField()
    reason = serializers.CharField()


class CorrectedQuestionSerializer(serializers.Serializer[Any]):
    """The question as it is now."""

    id = serializers.CharField(source="public_id")
    text = serializers.CharField()
    corrected_at = serializers.DateTimeField()


class QuestionCorrectView(ProjectView):
    """The correction of one question, by leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="correct_question",
        request=CorrectionInputSerializer,
        responses={200: CorrectedQuestionSerializer, 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, question: str) -> Response:
        """Change what the question says; votes stand."""
        form = CorrectionInputSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        corrected = services.correct_question(
            project=self.project, public_id=question, by=cast(User, request.user), **form.validated_data
        )
        return Response(CorrectedQuestionSerializer(corrected).data)
