"""Answers that are cleaned on their way in: pooled and judged clean, kept raw."""

import pytest

from annotation.accounts.models import User
from annotation.items.models import Candidate, Prediction
from annotation.items.services.applying import undo_import
from annotation.projects.models import Project
from annotation.projects.services.making import AnswersAreThere, set_cleaning
from annotation.release.selectors.rows import released_answers
from judges.comparison.selectors.answers import read_history
from tests.annotation.items.conftest import import_into, outputs, upload_to
from tests.conftest import ClientOf

RAW = "Hello, this is Bing. It is **Rome** ¹. Is there anything else you would like to know?"
VOTES = f"Question\tModel answer\tannotator1\tannotator2\nq\t{RAW}\tYes\tYes\n"


@pytest.fixture
def cleaning(project: Project) -> Project:
    set_cleaning(project=project, cleaning="chat")
    return project


class TestImport:
    def test_the_cleaned_answer_is_pooled_and_the_raw_one_kept(self, cleaning: Project) -> None:
        files = {"bing.jsonl": outputs(q=RAW), "dpr.jsonl": outputs(q="It is Rome.")}
        checked = upload_to(cleaning, files=files)
        assert checked.counts["answers_cleaned"] == 1
        import_into(cleaning, files=files)
        assert Candidate.objects.get().text == "It is Rome."
        assert list(Prediction.objects.order_by("pk").values_list("text", "raw")) == [
            ("It is Rome.", RAW),
            ("It is Rome.", None),
        ]

    def test_a_list_is_kept_as_the_file_has_it(self, cleaning: Project) -> None:
        import_into(cleaning, files={"bing.jsonl": outputs(q=[RAW, "x"])})
        assert Prediction.objects.values_list("text", "raw").get() == ("It is Rome.", [RAW, "x"])

    def test_rows_of_votes_find_their_answers(self, cleaning: Project) -> None:
        import_into(cleaning, files={"bing.jsonl": outputs(q=RAW)})
        import_into(cleaning, files={"votes.tsv": VOTES}, keep_duplicate_rows="no")
        assert Candidate.objects.get().state == Candidate.State.DECIDED

    def test_other_projects_keep_every_character(self, project: Project) -> None:
        import_into(project, files={"bing.jsonl": outputs(q=RAW)})
        assert Prediction.objects.values_list("text", "raw").get() == (RAW, None)


class TestShown:
    def test_the_raw_answer_stands_in_history_and_exports(self, cleaning: Project) -> None:
        import_into(cleaning, files={"bing.jsonl": outputs(q=RAW, p="Troy")})
        cleaned, plain = Candidate.objects.order_by("pk")
        (prediction,) = read_history(project=cleaning, public_id=cleaned.public_id).predictions or ()
        assert (prediction.text, prediction.raw) == ("It is Rome.", RAW)
        (prediction,) = read_history(project=cleaning, public_id=plain.public_id).predictions or ()
        assert prediction.raw is None
        exported = [(row.answer, row.raw_answer) for row in released_answers(cleaning)]
        assert exported == [("It is Rome.", RAW), ("Troy", "Troy")]


class TestSetCleaning:
    def test_it_is_refused_once_there_are_answers(self, project: Project) -> None:
        made = import_into(project, files={"dpr.jsonl": outputs(q="a")})
        with pytest.raises(AnswersAreThere, match="Undo"):
            set_cleaning(project=project, cleaning="chat")
        set_cleaning(project=project, cleaning="none")
        undo_import(data_import=made)
        set_cleaning(project=project, cleaning="chat")
        project.refresh_from_db()
        assert project.cleaning == "chat"

    def test_by_http(self, project: Project, lead: User) -> None:
        client = ClientOf(lead)
        changed = client.patch("/api/projects/small", {"cleaning": "chat"}, format="json")
        assert (changed.status_code, changed.json()["cleaning"]) == (200, "chat")
        import_into(project, files={"dpr.jsonl": outputs(q="a")})
        refused = client.patch("/api/projects/small", {"cleaning": "none", "name": "New"}, format="json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "answers_are_there")
        project.refresh_from_db()
        assert project.name == "Small study"
