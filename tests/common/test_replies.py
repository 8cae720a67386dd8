"""A reply is the record that a selector returns."""

import gzip
from dataclasses import dataclass

import pytest
from django.conf import LazySettings
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import RequestFactory
from rest_framework import serializers
from rest_framework.test import APIRequestFactory

from common.web.replies import CompressesReplies, ReplySerializer, View, reply, reply_of


@dataclass(frozen=True)
class Part:
    """A part."""

    name: str
    share: float | None = None


@dataclass(frozen=True)
class Whole:
    """A whole."""

    parts: tuple[Part, ...]
    by_name: dict[str, Part]


class TestReply:
    def test_a_record_leaves_with_all_its_fields(self) -> None:
        part = Part("a")
        assert reply(Whole((part,), {"a": part})).data == {
            "parts": [{"name": "a", "share": None}],
            "by_name": {"a": {"name": "a", "share": None}},
        }

    def test_several_records_leave_as_a_list(self) -> None:
        assert reply([Part("a"), Part("b", 0.5)]).data == [
            {"name": "a", "share": None},
            {"name": "b", "share": 0.5},
        ]

    def test_fields_are_made_for_the_first_reply_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = reply(Part("a")).data
        monkeypatch.setattr(ReplySerializer, "get_fields", None)
        assert reply(Part("a")).data == before

    def test_none_at_all_leave_as_an_empty_list(self) -> None:
        assert reply([]).data == []


@dataclass(frozen=True)
class Priced:
    """Something with a price."""

    name: str
    cents: int
    sold: bool


class TestReplyOf:
    def test_a_field_may_leave_otherwise_than_its_type_says_in_its_place(self) -> None:
        reply_of(Priced, cents=serializers.CharField())
        assert list(reply(Priced("a", 5, True)).data.items()) == [
            ("name", "a"),
            ("cents", "5"),
            ("sold", True),
        ]

    def test_no_field_is_optional_in_the_schema(self) -> None:
        assert all(field.required for field in reply_of(Part)().fields.values())

    def test_a_record_has_one_serializer(self) -> None:
        assert reply_of(Part) is reply_of(Part)


class _Form(serializers.Serializer[None]):
    count = serializers.IntegerField()


class TestRead:
    def test_a_bad_body_is_told_field_by_field(self) -> None:
        view = View()
        view.request = view.initialize_request(APIRequestFactory().post("/", {"count": "x"}, format="json"))
        with pytest.raises(serializers.ValidationError) as caught:
            view.read(_Form)
        assert set(caught.value.detail) == {"count"}


class TestCompressesReplies:
    """Replies of text, from a size on, to whoever reads gzip."""

    LONG = b'{"answers": [' + b'"Paris", ' * 1_000 + b'"Paris"]}'

    @staticmethod
    def sent(reply: HttpResponseBase, accepts: str = "gzip, br") -> HttpResponseBase:
        request = RequestFactory().get("/", headers={"Accept-Encoding": accepts})
        return CompressesReplies(lambda _request: reply).process_response(request, reply)

    def test_comes_out_as_it_went_in(self) -> None:
        reply = self.sent(HttpResponse(self.LONG, content_type="application/json"))
        assert reply.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in reply.headers["Vary"]
        assert isinstance(reply, HttpResponse)
        assert len(reply.content) < len(self.LONG) / 10
        assert gzip.decompress(reply.content) == self.LONG

    @pytest.mark.parametrize(
        ("reply", "accepts"),
        [
            (HttpResponse(LONG, content_type="application/json"), "identity"),
            (HttpResponse(LONG[:1_000], content_type="application/json"), "gzip"),
            (HttpResponse(LONG, content_type="application/zip"), "gzip"),
            (StreamingHttpResponse([LONG], content_type="application/json"), "gzip"),
        ],
        ids=["not read", "short", "packed", "streamed"],
    )
    def test_leaves_alone_what_gains_nothing(self, reply: HttpResponseBase, accepts: str) -> None:
        assert "Content-Encoding" not in self.sent(reply, accepts).headers

    def test_stands_before_whatever_writes_replies(self, settings: LazySettings) -> None:
        middleware = list(settings.MIDDLEWARE)
        assert middleware.index("common.web.replies.CompressesReplies") < middleware.index(
            "common.web.door.Door"
        )
