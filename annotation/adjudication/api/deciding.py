"""HTTP for decisions people make, and for taking them back."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.models import User
from annotation.adjudication import services
from annotation.adjudication.api.queue import CATEGORY_KEYS, DECIDERS, DossierSerializer, dossier_response
from annotation.projects.api import ProjectView
from common.http import ErrorSerializer


class DecideSerializer(serializers.Serializer[Any]):
    """A person's decision."""

    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    category = serializers.ChoiceField(choices=CATEGORY_KEYS, required=False, allow_blank=True, default="")
    seen_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)


class DecideView(ProjectView):
    """Deciding an answer."""

    allowed_roles = DECIDERS

    @extend_schema(
        operation_id="decide_answer",
        request=DecideSerializer,
        responses={200: DossierSerializer, 400: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Decide with a reason; raters stay anonymous, the decider does not."""
        form = DecideSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.decide_answer(
            project=self.project,
            candidate_id=candidate,
            by=cast(User, request.user),
            **form.validated_data,
        )
        return dossier_response(self, candidate)


class ReopenSerializer(serializers.Serializer[Any]):
    """Why a decision is withdrawn."""

    reason = serializers.CharField(max_length=2000)


class ReopenView(ProjectView):
    """Withdrawing a decision."""

    allowed_roles = DECIDERS

    @extend_schema(
        operation_id="reopen_answer",
        request=ReopenSerializer,
        responses={200: DossierSerializer, 400: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Withdraw the decision; its history stays."""
        form = ReopenSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.reopen_answer(
            project=self.project,
            candidate_id=candidate,
            by=cast(User, request.user),
            **form.validated_data,
        )
        return dossier_response(self, candidate)
