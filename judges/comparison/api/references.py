"""HTTP for published numbers that stand beside a study's own; leads keep them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LEAD, AdjudicatorAndViewerView, LeadView
from common.web.replies import NumberField, operation, reply_of
from judges.comparison import services
from judges.comparison.models import ReferenceScore
from judges.comparison.rules.leaderboard.references import LONGEST, FileProblem, Reference, Subject
from judges.comparison.selectors.leaderboard.references import list_references

LONGEST_FILE = 1_000_000


class ReferenceDraftSerializer(serializers.Serializer[Any]):
    """A published result.

    `value`: a share or coefficient from -1 to 1. `n`: the number of answers, or null if unknown. `dataset`:
    for a system’s result, its data set, or empty. `system`, `prompt`: for a judge’s result, the name of the
    system whose answers it judged and the prompt used, or empty.
    """

    subject = serializers.ChoiceField(choices=ReferenceScore.Subject.choices)
    name = serializers.CharField(max_length=LONGEST["name"])
    measure = serializers.CharField(max_length=LONGEST["measure"])
    value = NumberField(min_value=-1, max_value=1)
    n = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, allow_null=True, default=None
    )
    about = serializers.CharField(max_length=LONGEST["about"], required=False, allow_blank=True, default="")
    source = serializers.CharField(max_length=LONGEST["source"])  # type: ignore[assignment]
    source_url = serializers.CharField(
        max_length=LONGEST["source_url"], required=False, allow_blank=True, default=""
    )
    dataset = serializers.CharField(
        max_length=LONGEST["dataset"], required=False, allow_blank=True, default=""
    )
    system = serializers.CharField(max_length=LONGEST["system"], required=False, allow_blank=True, default="")
    prompt = serializers.CharField(max_length=LONGEST["prompt"], required=False, allow_blank=True, default="")


class ReferenceScoreSerializer(serializers.Serializer[Any]):
    """A saved published result.

    `removed_at`: when it was removed from the tables; null if it was not.
    """

    id = serializers.CharField(source="public_id")
    subject = serializers.ChoiceField(choices=ReferenceScore.Subject.choices)
    name = serializers.CharField()
    measure = serializers.CharField()
    value = serializers.FloatField()
    n = serializers.IntegerField(allow_null=True)
    about = serializers.CharField(allow_blank=True)
    source = serializers.CharField()  # type: ignore[assignment]
    source_url = serializers.CharField(allow_blank=True)
    dataset = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    prompt = serializers.CharField(allow_blank=True)
    added_by = serializers.SerializerMethodField()
    added_at = serializers.DateTimeField()
    removed_by = serializers.SerializerMethodField()
    removed_at = serializers.DateTimeField(allow_null=True)

    def get_added_by(self, row: ReferenceScore) -> str:
        """Return the name of the person who added the result."""
        return row.added_by.name

    def get_removed_by(self, row: ReferenceScore) -> str:
        """Return the name of the person who removed the result, or an empty string."""
        return row.removed_by.name if row.removed_by else ""


class ReferenceFileSerializer(serializers.Serializer[Any]):
    """A CSV file as text.

    `is_dry_run`: whether to check the contents without importing them.
    """

    content = serializers.CharField(max_length=LONGEST_FILE, trim_whitespace=False)
    is_dry_run = serializers.BooleanField(default=False)


class ReferencesReadSerializer(serializers.Serializer[Any]):
    """The contents of a file. Nothing was imported if there are problems or if it was a dry run."""

    references = ReferenceDraftSerializer(many=True)
    problems = reply_of(FileProblem, "ReferenceProblem")(many=True)


class ReferencesView(AdjudicatorAndViewerView):
    """The published numbers of a project."""

    write_roles = frozenset({LEAD})

    @operation("list_reference_scores", gives=ReferenceScoreSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List published results, then removed ones."""
        rows = list_references(project=self.project, with_removed=True)
        return Response(ReferenceScoreSerializer(rows, many=True).data)

    @operation(
        "add_reference_score",
        takes=ReferenceDraftSerializer,
        gives=ReferenceScoreSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a published result."""
        given = self.read(ReferenceDraftSerializer)
        reference = Reference(**{**given, "subject": Subject(given["subject"])})
        row = services.add_reference(project=self.project, by=self.user, reference=reference)
        return Response(ReferenceScoreSerializer(row).data, status=201)


class ReferencesFileView(LeadView):
    """Published numbers from a file."""

    @operation(
        "import_reference_scores",
        takes=ReferenceFileSerializer,
        gives=ReferencesReadSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import published results from a CSV file, all or none."""
        form = self.read(ReferenceFileSerializer)
        read = services.import_references(
            project=self.project, by=self.user, text=form["content"], is_dry_run=form["is_dry_run"]
        )
        return Response(ReferencesReadSerializer(read._asdict()).data)


class ReferenceView(LeadView):
    """One published number."""

    @operation("remove_reference_score", gives=ReferenceScoreSerializer)
    def delete(self, request: Request, slug: str, reference: str) -> Response:
        """Remove a published result; it can be restored."""
        row = services.remove_reference(project=self.project, public_id=reference, by=self.user)
        return Response(ReferenceScoreSerializer(row).data)


class ReferenceRestoreView(LeadView):
    """Putting a published number back."""

    @operation("restore_reference_score", gives=ReferenceScoreSerializer)
    def post(self, request: Request, slug: str, reference: str) -> Response:
        """Restore a removed published result."""
        row = services.restore_reference(project=self.project, public_id=reference)
        return Response(ReferenceScoreSerializer(row).data)
