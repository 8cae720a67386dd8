"""HTTP for the documentation, which holds nothing of any study: everybody may read it."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.help.documents import HelpEntry, HelpPage, find_document, find_picture, list_documents
from common.help.search import HelpHits, search_help
from common.web.replies import View, operation, reply


class HelpContentsView(View):
    """The contents of the documentation."""

    access = "public"
    serves_project_tokens = True

    @operation("list_help", gives=list[HelpEntry])
    def get(self, request: Request) -> Response:
        """List the pages of the documentation with their sections."""
        return reply(list_documents())


class HelpSearchQuerySerializer(serializers.Serializer[Any]):
    """What is looked for in the documentation."""

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class HelpSearchView(View):
    """The parts of the documentation that have some words."""

    access = "public"
    serves_project_tokens = True

    @operation("search_help", query=[HelpSearchQuerySerializer], gives=HelpHits)
    def get(self, request: Request) -> Response:
        """Find the sections of the documentation that contain all search words, best match first."""
        query = self.read_query(HelpSearchQuerySerializer)
        return reply(search_help(search=query["search"]))


class HelpPageView(View):
    """One page of the documentation."""

    access = "public"
    serves_project_tokens = True

    @operation("get_help", gives=HelpPage)
    def get(self, request: Request, name: str) -> Response:
        """Return one page of the documentation as HTML."""
        return reply(find_document(name=name))


class HelpPictureView(View):
    """A picture in the documentation."""

    access = "public"
    serves_project_tokens = True

    @operation("get_help_picture", gives=OpenApiTypes.BINARY)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return an image from the documentation, as a PNG file."""
        return HttpResponse(find_picture(name=name).read_bytes(), content_type="image/png")
