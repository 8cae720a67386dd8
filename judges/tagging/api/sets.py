"""HTTP for sets of tags."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.web.replies import operation
from judges.tagging import selectors, services
from judges.tagging.models import TagSet
from judges.tagging.rules import JudgeKind
from judges.tagging.rules.sets import KEY

JUDGE_KINDS = [kind.value for kind in JudgeKind]


class FailureTagSerializer(serializers.Serializer[Any]):
    """One tag: its meaning and an example; `judges`: of which judges' verdicts it can be said."""

    key = serializers.RegexField(KEY, max_length=60)
    name = serializers.CharField(max_length=100)
    meaning = serializers.CharField(max_length=500)
    example = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    group = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    judges = serializers.ChoiceField(choices=JUDGE_KINDS, required=False, default=JudgeKind.ANY.value)


class TagSetSerializer(serializers.Serializer[Any]):
    """A set of tags; `version` is 0 until a ready-made one is used, `is_used`: a change is a new version."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    subject = serializers.ChoiceField(choices=TagSet.Subject.choices)
    several = serializers.BooleanField()
    tags = FailureTagSerializer(many=True)
    version = serializers.IntegerField()
    is_own = serializers.BooleanField()
    is_used = serializers.BooleanField()


class TagSetChangeSerializer(serializers.Serializer[Any]):
    """What an own set is to be."""

    name = serializers.CharField(max_length=100)
    summary = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    subject = serializers.ChoiceField(choices=TagSet.Subject.choices)
    several = serializers.BooleanField(required=False, default=True)
    tags = FailureTagSerializer(many=True, allow_empty=False)


class TagSetCreateSerializer(TagSetChangeSerializer):
    """A new set, under a key of its own."""

    key = serializers.RegexField(KEY, max_length=60)


def _body(listed: selectors.ListedSet) -> dict[str, Any]:
    spec = {**listed.spec._asdict(), "tags": [tag.to_json() for tag in listed.spec.tags]}
    return {**spec, "version": listed.version, "is_own": listed.is_own, "is_used": listed.is_used}


class TagSetsView(ProjectView):
    """The sets a project may use."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})
    write_roles = frozenset({LEAD})

    @operation("list_tag_sets", gives=TagSetSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the sets of the papers, then the project's own."""
        bodies = [_body(each) for each in selectors.list_specs(project=self.project)]
        return Response(TagSetSerializer(bodies, many=True).data)

    @operation(
        "create_tag_set", takes=TagSetCreateSerializer, gives=TagSetSerializer, status=201, errors=(400, 409)
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a set of the project's own."""
        form = self.read(TagSetCreateSerializer)
        services.save_tag_set(project=self.project, by=self.user, is_new=True, **form)
        found = selectors.get_listed(project=self.project, key=form["key"])
        return Response(TagSetSerializer(_body(found)).data, status=201)


class TagSetView(ProjectView):
    """One of the project's own sets."""

    allowed_roles = frozenset({LEAD})

    @operation("change_tag_set", takes=TagSetChangeSerializer, gives=TagSetSerializer, errors=(400, 404, 409))
    def put(self, request: Request, slug: str, key: str) -> Response:
        """Change it: in place, or as the next version once a round uses it."""
        selectors.get_listed(project=self.project, key=key)
        form = self.read(TagSetChangeSerializer)
        services.save_tag_set(project=self.project, by=self.user, key=key, **form)
        found = selectors.get_listed(project=self.project, key=key)
        return Response(TagSetSerializer(_body(found)).data)
