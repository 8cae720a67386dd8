"""HTTP for what a changed protocol would mean for work done."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication import services
from annotation.projects.api import LEAD, ProjectView
from common.web.replies import operation


class ProtocolDraftSerializer(serializers.Serializer[Any]):
    """A protocol that could be put in force."""

    spec = serializers.DictField()


class ProtocolChangeSerializer(serializers.Serializer[Any]):
    """What that would mean: the version it would be, and what becomes of work done, in sentences."""

    is_same = serializers.BooleanField()
    number = serializers.IntegerField()
    effects = serializers.ListField(child=serializers.CharField())


class ProtocolChangeView(ProjectView):
    """A change of the protocol before it is made, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "foresee_protocol_change",
        takes=ProtocolDraftSerializer,
        gives=ProtocolChangeSerializer,
        errors=(400,),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say what a protocol would mean for work done; nothing is changed."""
        form = self.read(ProtocolDraftSerializer)
        effects = services.foresee_change(project=self.project, spec=form["spec"])
        body = {
            "is_same": effects.is_same,
            "number": effects.number,
            "effects": services.words_of_change(effects),
        }
        return Response(ProtocolChangeSerializer(body).data)
