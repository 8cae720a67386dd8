"""HTTP for bundles: restoring one as a new project."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import UserView
from annotation.projects.api.projects import ProjectListItemSerializer
from annotation.projects.selectors import list_memberships
from annotation.projects.services.making import require_creator
from common.web.replies import operation, reply
from judges.bundles.services.restoring import LIMITS_OF_PAGE, restore_bundle


@dataclass(frozen=True)
class BundleLimits:
    """The limits for a bundle that is restored here: file size in bytes, rows, and size in bytes when
    unpacked."""

    file_bytes: int
    rows: int
    bytes: int


class BundleSerializer(serializers.Serializer[Any]):
    """A bundle, as the Export page or `manage.py bundle` writes it."""

    file = serializers.FileField()


class BundlesView(UserView):
    """Restoring projects, for those who may create some."""

    access = "signed_in"
    parser_classes = [MultiPartParser]

    @operation("get_bundle_limits", gives=BundleLimits)
    def get(self, request: Request) -> Response:
        """Return how large a bundle may be."""
        require_creator(user=self.user)
        return reply(BundleLimits(settings.ASSAY_UPLOAD_MAX_BYTES, **LIMITS_OF_PAGE._asdict()))

    @operation(
        "restore_project",
        takes={"multipart/form-data": BundleSerializer},
        gives=ProjectListItemSerializer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Create a project from a bundle, completely or not at all, and become one of its leads."""
        require_creator(user=self.user)
        file = self.read(BundleSerializer)["file"]
        project = restore_bundle(file=file, by=self.user)
        membership = list_memberships(user=self.user).get(project=project)
        return Response(ProjectListItemSerializer(membership).data, status=201)
