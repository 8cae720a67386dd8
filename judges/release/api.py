"""HTTP for what leaves that needs people’s and programs’ facts."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import AdjudicatorView
from common.web.replies import operation
from judges.release.selectors import read_methods


class MethodsSerializer(serializers.Serializer[Any]):
    """A paragraph of plain text, and what must still happen before it is whole."""

    text = serializers.CharField(allow_blank=True)
    missing = serializers.ListField(child=serializers.CharField())


class MethodsView(AdjudicatorView):
    """The study in sentences, for a paper."""

    @operation("get_methods", gives=MethodsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Say how the study was judged and what came out."""
        return Response(MethodsSerializer(read_methods(project=self.project)._asdict()).data)
