"""HTTP for exports."""

from typing import Any, get_args

from django.http import FileResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import UserView
from annotation.accounts.models import User
from annotation.projects.api.access import LeadAndViewerView, LeadView
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import ProjectNotFound, get_membership
from annotation.projects.services.members import note_opening
from annotation.release import services
from annotation.release.models import Export
from annotation.release.rules import LeftOut
from annotation.release.selectors.exports import ExportNotFound, get_export, list_exports
from annotation.release.selectors.formats import EXPORT_FORMATS, ExportFormat, Group, find_format
from common.requests.conditional import conditional, find_known
from common.web.replies import operation, reply_of
from common.web.starting import start_of_commands


class ExportFormatSerializer(serializers.Serializer[Any]):
    """An export format, and what an export would contain now."""

    key = serializers.CharField()
    group = serializers.ChoiceField(choices=get_args(Group))
    name = serializers.CharField()
    summary = serializers.CharField()
    file_name = serializers.CharField()
    command = serializers.CharField()
    row_count = serializers.IntegerField()
    unit = serializers.ChoiceField(choices=["row", "answer", "system", "judge"])
    left_out = reply_of(LeftOut)(allow_null=True, help_text="Null if the format leaves nothing out.")
    preview = serializers.ListField(child=serializers.CharField())


def _format_body(form: ExportFormat, project: Project) -> dict[str, Any]:
    file_name = form.file_name(project)
    return {
        **form._asdict(),
        "file_name": file_name,
        "command": (
            f"{start_of_commands()} export_data --project {project.slug} --format {form.key}"
            f" --output {file_name}"
        ),
        "row_count": form.count(project),
        "left_out": form.left_out(project) if form.left_out else None,
        "preview": services.preview_lines(project=project, form=form),
    }


class ExportFormatsView(LeadView):
    """The forms to export."""

    @operation("list_export_formats", gives=ExportFormatSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the export formats with row counts and a preview of three lines."""
        bodies = [_format_body(form, self.project) for form in EXPORT_FORMATS]
        return Response(ExportFormatSerializer(bodies, many=True).data)


class ExportSerializer(serializers.Serializer[Any]):
    """An export and its state."""

    id = serializers.CharField(source="public_id")
    format = serializers.CharField()
    name = serializers.SerializerMethodField()
    file_name = serializers.CharField()
    state = serializers.ChoiceField(choices=Export.State.choices)
    rows = serializers.IntegerField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    message = serializers.CharField()

    def get_name(self, export: Export) -> str:
        """Return the format’s name, or its key if the format no longer exists."""
        form = find_format(export.format)
        name = form.name if form else export.format
        # As `list_exports` and `get_export` read it.
        return f"Selected answers: {name}" if getattr(export, "is_chosen", False) else name


class ExportCreateSerializer(serializers.Serializer[Any]):
    """The format to export."""

    format = serializers.CharField(max_length=60)


class ExportsView(LeadAndViewerView):
    """The project's exports; viewers read those that leads made."""

    works_archived = True
    write_scope = "run"

    @operation("list_exports", gives=ExportSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the exports, newest first."""
        exports = list_exports(project=self.project)
        return Response(ExportSerializer(exports, many=True).data)

    @operation("start_export", takes=ExportCreateSerializer, gives=ExportSerializer, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Create a file; if it is large, the background worker creates it."""
        form = self.read(ExportCreateSerializer)
        export = services.start_export(project=self.project, format_key=form["format"], by=self.user)
        return Response(ExportSerializer(export).data, status=201)


class OneExportView(UserView):
    """A view of one export, which its address names without its project."""

    access = "signed_in"
    serves_project_tokens = True

    def find_export(self, public_id: str) -> Export:
        """Return the export if whoever asks, and by which token, reaches it; raises `ExportNotFound`."""
        export = get_export(public_id=public_id)
        member = _member_of(self.user, export.project)
        is_reached = self.bearer is None or self.bearer.reaches(export.project_id)
        if member is None or member.role not in LeadAndViewerView.allowed_roles or not is_reached:
            raise ExportNotFound("There is no such export.")
        # Only who gets it has seen it.
        note_opening(member=member)
        return export


def _member_of(user: User, project: Project) -> Membership | None:
    try:
        return get_membership(user=user, slug=project.slug)
    except ProjectNotFound:
        return None


class ExportView(OneExportView):
    """One export, for leads and viewers of its project."""

    @operation("get_export", gives=ExportSerializer)
    def get(self, request: Request, id: str) -> Response:  # noqa: A002
        """Return the export."""
        return Response(ExportSerializer(self.find_export(id)).data)


class ExportDownloadView(OneExportView):
    """The file of one export, for leads and viewers of its project."""

    @operation("download_export", gives=OpenApiTypes.BINARY, errors=(409,))
    @conditional
    def get(self, request: Request, id: str) -> HttpResponseBase:  # noqa: A002
        """Download the file."""
        export = self.find_export(id)
        path = services.open_export_path(export=export)
        etag = f'"{export.sha256}"'
        if (known := find_known(request, etag)) is not None:
            return known
        form = find_format(export.format)
        return FileResponse(
            path.open("rb"),
            as_attachment=True,
            filename=export.file_name,
            content_type=form.media_type if form else "application/octet-stream",
            headers={"ETag": etag},
        )


class ProjectDeleteSerializer(serializers.Serializer[Any]):
    """The project’s name, to confirm the deletion."""

    name = serializers.CharField(max_length=200)


class ProjectDeleteView(LeadView):
    """The end of a project."""

    works_archived = True
    write_scope = "manage"

    @operation("delete_project", takes=ProjectDeleteSerializer, status=204)
    def post(self, request: Request, slug: str) -> Response:
        """Permanently delete an archived and exported project with everything in it."""
        services.delete_project(project=self.project, **self.read(ProjectDeleteSerializer))
        return Response(status=204)
