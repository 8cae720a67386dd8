"""Selected answers, or all that the table shows, as a file."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from annotation.release.models import Export
from annotation.release.services import NotExported, UnknownFormat, delete_project, start_export
from common.clock import now
from common.memory import forget_everything
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member, make_project

Client = Callable[[User], Any]
EXPORTS = "/api/projects/small/answer-exports"


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def ids_of(*texts: str) -> list[str]:
    found = {each.text: each.public_id for each in Candidate.objects.all()}
    return [found[text] for text in texts]


def export(client: Any, **body: Any) -> Any:
    return client.post(EXPORTS, {"format": "answers-jsonl", **body}, format="json")


def answers_in(client: Any, made: Any) -> list[str]:
    assert made.status_code == 201, made.content
    file = client.get(f"/api/exports/{made.json()['id']}/download")
    return [json.loads(line)["answer"] for line in b"".join(file.streaming_content).splitlines()]


class TestAnswersExportView:
    def test_selected_answers_leave_alone_and_in_the_order_of_the_table(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        client = client_of(lead)
        chosen = ids_of("Marlowe", "Paris")
        made = export(client, answers=chosen)
        assert answers_in(client, made) == ["Paris", "Marlowe"]
        assert answers_in(client, export(client, answers=chosen, query={"sort": "answer"})) == [
            "Marlowe",
            "Paris",
        ]
        body = made.json()
        assert (body["rows"], body["file_name"]) == (2, "small_2-answers.jsonl")
        assert body["name"].startswith("Selected answers: ")

    def test_a_filter_does_not_take_from_what_is_selected(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        client = client_of(lead)
        made = export(client, answers=ids_of("Paris"), query={"search": "Pacific"})
        assert answers_in(client, made) == ["Paris"]

    def test_without_a_selection_all_that_the_table_shows_leave(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        client = client_of(lead)
        made = export(client, query={"given_by": "beta", "sort": "-answer", "columns": "votes"})
        assert answers_in(client, made) == ["Paris", "Pacific", "Marlowe"]

    def test_spreadsheets_get_their_form(self, client_of: Client, lead: User, study: Project) -> None:
        client = client_of(lead)
        made = export(client, format="answers-csv", answers=ids_of("Paris")).json()
        lines = b"".join(client.get(f"/api/exports/{made['id']}/download").streaming_content).splitlines()
        assert lines[0].startswith(b"item_id,question_id,question")
        assert len(lines) == 2

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"query": {"search": "nowhere to be found"}}, "no_answer_matches"),
            ({"answers": ["nosuchanswer"]}, "no_answer_matches"),
            ({"query": {"cursor": "abc"}}, "invalid_input"),
            ({"format": "votes-csv"}, "invalid_input"),
            ({"answers": ["x"] * 2_001}, "invalid_input"),
        ],
    )
    def test_what_cannot_be_made_is_refused(
        self, body: dict[str, Any], code: str, client_of: Client, lead: User, study: Project
    ) -> None:
        reply = export(client_of(lead), **body)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, code)
        assert not Export.objects.exists()

    def test_only_leads_take_answers_away(
        self, client_of: Client, study: Project, annotators: list[Membership]
    ) -> None:
        adjudicator = make_member(project=study, role="adjudicator", username="decider").user
        for user in (adjudicator, annotators[0].user):
            assert export(client_of(user)).status_code == 403

    def test_answers_of_other_projects_do_not_leave(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        (foreign,) = make_answers(project=make_project(), question="q", gold=["g"], texts=["foreign"])
        reply = export(client_of(lead), answers=[foreign.public_id])
        assert reply.json()["error"]["code"] == "no_answer_matches"

    def test_chunks_join_and_cost_the_same_a_chunk(
        self, client_of: Client, lead: User, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = client_of(lead)
        whole = answers_in(client, export(client))
        with monkeypatch.context() as patched:
            patched.setattr("annotation.release.selectors.rows.ROWS_AT_ONCE", 2)
            assert answers_in(client, export(client)) == whole
        for number in range(9):
            make_answers(project=study, question=f"q {number}", gold=["g"], texts=["one", "two"])

        def count(answers: list[str]) -> int:
            forget_everything()
            with CaptureQueriesContext(connection) as asked:
                assert export(client, answers=answers).status_code == 201
            return len(asked)

        everything = list(Candidate.objects.values_list("public_id", flat=True))
        assert count(everything[:2]) == count(everything)


class TestStartExport:
    def test_answers_are_chosen_for_files_of_answers_alone(self, study: Project, lead: User) -> None:
        with pytest.raises(UnknownFormat, match="votes-csv"):
            start_export(project=study, format_key="votes-csv", by=lead, chosen=[1])

    def test_a_few_answers_do_not_stand_for_the_project_where_it_is_deleted(
        self, study: Project, lead: User, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        archived = now() - timedelta(minutes=1)
        Project.objects.filter(pk=study.pk).update(state=Project.State.ARCHIVED, archived_at=archived)
        start_export(project=study, format_key="answers-csv", by=lead, chosen=[Candidate.objects.all()[0].pk])
        with pytest.raises(NotExported):
            delete_project(project=study, name=study.name)
