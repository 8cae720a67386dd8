"""The protocol over HTTP: its fields' complaints, what a change would mean, its history, its guidelines."""

import pytest
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.projects.rules import Line, guideline_lines
from common.clock import now
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db
NO = {"key": "no", "name": "No", "credit": "none"}
ADDRESS = "/api/projects/small/protocol"


@pytest.fixture
def client(project: Project, lead: User) -> APIClient:
    return ClientOf(lead)


def freeze(project: Project) -> None:
    project.protocol.frozen_at = now()
    project.protocol.save()


class TestProtocol:
    def test_complains_at_every_field(self, client: APIClient, project: Project) -> None:
        spec = {**project.protocol.spec, "sheet_size": 0, "raters_per_answer": "many"}
        reply = client.put(ADDRESS, {"spec": spec}, format="json")
        assert reply.status_code == 400
        assert list(reply.json()["error"]["details"]["fields"]) == ["raters_per_answer"]
        reply = client.put(ADDRESS, {"spec": {**spec, "raters_per_answer": 2}}, format="json")
        assert list(reply.json()["error"]["details"]["fields"]) == ["sheet_size"]

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"labels": [{"key": "a", "name": "\n", "credit": "definite"}, NO]}, "labels.0.name"),
            ({"labels": [{"key": "a", "name": "Yes\u2028sir", "credit": "definite"}, NO]}, "labels.0.name"),
            ({"question_checks": [{"key": "a", "text": "Old?\nNew?"}]}, "question_checks.0.text"),
            ({"guidelines": "x" * 100_001}, "guidelines"),
            ({"preset": "x" * 61}, "preset"),
        ],
    )
    def test_takes_no_names_of_two_lines_and_no_texts_without_end(
        self, client: APIClient, project: Project, changes: dict[str, object], field: str
    ) -> None:
        reply = client.put(ADDRESS, {"spec": {**project.protocol.spec, **changes}}, format="json")
        assert reply.status_code == 400
        assert list(reply.json()["error"]["details"]["fields"]) == [field]

    def test_stays_readable_as_an_older_version_took_it(self, client: APIClient, project: Project) -> None:
        labels = [{"key": "a", "name": "\n", "credit": "definite"}, NO]
        project.protocol.spec = {**project.protocol.spec, "labels": labels, "guidelines": "x" * 100_001}
        project.protocol.save()
        assert client.get(ADDRESS).json()["spec"]["labels"][0]["name"] == "\n"

    def test_a_change_begun_on_an_older_one_is_refused(self, client: APIClient, project: Project) -> None:
        seen = client.get(ADDRESS).json()["content_hash"]
        spec = {**project.protocol.spec, "sheet_size": 5}
        assert client.put(ADDRESS, {"spec": spec, "seen_hash": seen}, format="json").status_code == 200
        late = client.put(ADDRESS, {"spec": {**spec, "sheet_size": 6}, "seen_hash": seen}, format="json")
        assert (late.status_code, late.json()["error"]["code"]) == (409, "protocol_changed_meanwhile")


class TestForesee:
    def test_says_what_a_change_would_mean(self, client: APIClient, project: Project) -> None:
        freeze(project)
        spec = {**project.protocol.spec, "raters_per_answer": 3}
        reply = client.post(f"{ADDRESS}/foresee", {"spec": spec}, format="json")
        assert reply.json() == {
            "is_same": False,
            "number": 2,
            "effects": ["No judgments have been made yet."],
        }
        assert client.get(ADDRESS).json()["number"] == 1


class TestVersions:
    def test_say_what_each_changed(self, client: APIClient, project: Project) -> None:
        freeze(project)
        spec = {**project.protocol.spec, "raters_per_answer": 3, "guidelines": "Judge well."}
        client.put(ADDRESS, {"spec": spec}, format="json")
        newest, first = client.get(f"{ADDRESS}/versions").json()
        assert (newest["number"], first["number"], first["differences"]) == (2, 1, [])
        assert newest["differences"] == [
            {
                "field": "raters_per_answer",
                "name": "Annotators per answer",
                "before": "2",
                "after": "3",
            }
        ]
        assert {"kind": "added", "text": "Judge well."} in newest["guideline_lines"]


class TestGuidelines:
    def test_are_shown_as_safe_html(self, client: APIClient) -> None:
        text = "# Look\n\n<script>alert(1)</script> **well**"
        html = client.post(f"{ADDRESS}/guidelines-preview", {"text": text}, format="json").json()["html"]
        assert "<h2>Look</h2>" in html
        assert "<strong>well</strong>" in html
        assert "<script>" not in html

    def test_differ_line_by_line(self) -> None:
        assert guideline_lines("a\nb\nc\nd\ne", "a\nb\nc\nx\ne") == [
            Line("same", "c"),
            Line("removed", "d"),
            Line("added", "x"),
            Line("same", "e"),
        ]
        assert guideline_lines("a", "a") == []
