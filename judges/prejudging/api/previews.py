"""HTTP for what a policy would do, for leads."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import LEAD, ProjectView
from common.web.replies import operation
from judges.prejudging import selectors
from judges.prejudging.api.policies import PolicyInputSerializer, read_policy


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


class PreviewView(ProjectView):
    """What a policy would do, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("preview_prejudging", takes=PolicyInputSerializer, gives=PreviewSerializer, errors=(400,))
    def post(self, request: Request, slug: str) -> Response:
        """Count what each rule would settle, changing nothing; without a body, of the saved policy."""
        policy = read_policy(request, project=self.project)
        preview = selectors.preview_rules(project=self.project, **policy._asdict())
        return Response(PreviewSerializer(preview_body(preview)).data)
