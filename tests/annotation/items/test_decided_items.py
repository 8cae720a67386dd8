"""Answers that come decided, without votes: kept in order, decided, amended, written out, taken back."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.raters.agreement import MissingVotes
from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer, reopen_answer
from annotation.adjudication.services.recorded import DecisionsInUse
from annotation.assignments.models import Assignment
from annotation.assignments.services.handing_out import hand_out
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.services.applying import undo_import
from annotation.items.services.samples import set_sample
from annotation.judgments.models import Judgment
from annotation.projects.models import Project, ProtocolVersion
from annotation.release.services import write_file
from judges.comparison.selectors.report import build_report
from tests.annotation.items.conftest import import_into, rows_stored, upload_to
from tests.annotation.items.formats.test_efficientqa_release import NAME, released
from tests.factories import make_member, make_project

State = Candidate.State

# Escapes, backslashes, line ends, empty lists, what stands twice, what stands on two lists or is gold,
# letters beyond ASCII, strings that are equal once normalized, and a question that stands twice.
HAND_WRITTEN = (
    r'{"question": "who sang it", "answer": ["Sesenne", "Gonz\u00e1lez"], '
    r'"def_correct_predictions": ["\\\"Sesenne\\\"", "\"Sesenne\"", "sesenne", "Gonz\\u00e1lez"], '
    r'"poss_correct_predictions": ["Perry\n\n107", "perry 107", "Perry\n\n107", ""], '
    r'"def_incorrect_predictions": ["\ud83d\ude00", "sesenne", "Sesenne", "a\tb", "<b>", "="], '
    r'"answer_and_def_correct_predictions": ["Sesenne", "Gonz\u00e1lez", "\\\"Sesenne\\\"", "\"Sesenne\"", '
    r'"sesenne", "Gonz\\u00e1lez"]}' + "\n"
    r'{"question": "nobody was asked", "answer": [], "def_correct_predictions": [], '
    r'"poss_correct_predictions": [], "def_incorrect_predictions": [], '
    r'"answer_and_def_correct_predictions": []}' + "\n"
    r'{"question": " Who sang it? ", "answer": ["z", "a", "z"], "def_correct_predictions": ["z", "y"], '
    r'"poss_correct_predictions": [], "def_incorrect_predictions": ["x"], '
    r'"answer_and_def_correct_predictions": ["z", "a", "z", "z", "y"]}' + "\n"
)


@pytest.fixture
def project(lead: User) -> Project:
    return make_project(lead=lead, slug="efficientqa", preset="efficientqa")


def import_lines(project: Project, *lines: dict[str, Any]) -> DataImport:
    return import_into(project, files={NAME: "".join(json.dumps(line) + "\n" for line in lines)})


def written(project: Project, folder: Path) -> str:
    write_file(project=project, format_key="efficientqa-gold", path=folder / "out.jsonl")
    return (folder / "out.jsonl").read_bytes().decode()


def decisions() -> list[tuple[str, str, str]]:
    rows = Decision.objects.current().order_by("candidate__question", "candidate__position")
    return list(rows.values_list("candidate__text", "label", "source"))


class TestImport:
    def test_a_file_comes_out_byte_for_byte(self, project: Project, tmp_path: Path) -> None:
        made = import_into(project, files={NAME: HAND_WRITTEN})
        assert (made.state, made.format) == (DataImport.State.APPLIED, "efficientqa-release")
        assert written(project, tmp_path) == HAND_WRITTEN

    def test_answers_are_decided_by_their_list_and_nobody_voted(self, project: Project) -> None:
        made = import_lines(project, released())
        assert decisions() == [
            ("b", "definitely_correct", "imported"),
            ("c", "possibly_correct", "imported"),
            ("d", "definitely_incorrect", "imported"),
        ]
        assert not Judgment.objects.exists()
        assert not Assignment.objects.exists()
        assert (made.counts["questions"], made.counts["answers"], made.counts["decisions"]) == (1, 3, 3)
        assert made.sample[0]["decided"]["b"] == "definitely correct"

    def test_nobody_is_asked_about_them(self, project: Project) -> None:
        import_lines(project, released())
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("decided", 0, 0)}
        assert hand_out(rater=make_member(project=project)) == []

    def test_the_gold_list_is_amended(self, project: Project, tmp_path: Path) -> None:
        import_lines(project, released(def_incorrect_predictions=["d", "a"]))
        assert set(GoldChange.objects.values_list("action", "text")) == {("added", "b"), ("removed", "a")}
        write_file(project=project, format_key="openqa-eval-gold", path=tmp_path / "gold")
        assert json.loads((tmp_path / "gold").read_text())["answer"] == ["b"]
        assert json.loads(written(project, tmp_path))["answer"] == ["a"]

    def test_the_protocol_can_change_only_as_a_new_version(self, project: Project) -> None:
        import_lines(project, released())
        assert ProtocolVersion.objects.get(project=project).frozen_at is not None

    def test_every_figure_can_be_reported_without_votes(self, project: Project) -> None:
        import_lines(project, released())
        report = build_report(project=project, rules=list(MissingVotes))
        assert report["questions"] == {"sample": 1, "entire": 1}
        assert [row["items"] for row in report["agreement"]] == [0] * len(MissingVotes)

    def test_a_label_the_protocol_lacks_fails_and_leaves_nothing(self, lead: User) -> None:
        plain = make_project(lead=lead, slug="plain", preset="openqa-eval")
        made = import_lines(plain, released())
        assert made.state == DataImport.State.FAILED
        assert "possibly correct" in made.message
        assert not any(rows_stored().values())

    def test_one_broken_line_keeps_the_whole_file_out(self, project: Project) -> None:
        broken = released(question="b", answer_and_def_correct_predictions=[])
        content = json.dumps(released()) + "\n" + json.dumps(broken)
        checked = upload_to(project, files={NAME: content}, format_key="efficientqa-release")
        assert checked.state == DataImport.State.REFUSED
        assert f"{NAME}, line 2: “answer_and_def_correct_predictions” must list" in checked.message
        assert not any(rows_stored().values())


class TestImportIntoAProjectAtWork:
    @pytest.fixture
    def known(self, project: Project) -> Project:
        """The question with two answers of a system, waiting for raters."""
        line = {"question": "who", "answer": ["a"], "prediction": "b"}
        import_into(project, files={"DPR.jsonl": json.dumps(line)})
        import_into(project, files={"FiD.jsonl": json.dumps({**line, "prediction": "c"})})
        return project

    def test_an_answer_that_is_there_is_decided_as_it_is(self, known: Project, tmp_path: Path) -> None:
        made = import_lines(known, released())
        assert Candidate.objects.count() == 3
        assert (made.counts["answers_known"], made.counts["answers"], made.counts["decisions"]) == (2, 1, 3)
        assert written(known, tmp_path) == json.dumps(released()) + "\n"

    def test_what_raters_hold_stays_theirs_and_is_named(self, known: Project) -> None:
        hand_out(rater=make_member(project=known))
        made = import_lines(known, released())
        assert [problem["code"] for problem in made.problems] == ["judged_here", "judged_here"]
        assert decisions() == [("d", "definitely_incorrect", "imported")]
        assert set(Candidate.objects.values_list("text", "state")) == {
            ("b", "open"),
            ("c", "open"),
            ("d", "decided"),
        }

    def test_what_was_judged_joins_the_sample(self, known: Project) -> None:
        import_into(known, files={"more.jsonl": '{"question": "where", "answer": ["a"], "prediction": "b"}'})
        set_sample(project=known, method=Project.SampleMethod.QUESTIONS, questions=["where"])
        import_lines(known, released(), released(question="when"))
        assert set(Question.objects.values_list("in_sample", flat=True)) == {True}

    def test_undoing_opens_what_was_there_again(self, known: Project) -> None:
        undo_import(data_import=import_lines(known, released()))
        assert not Decision.objects.exists()
        assert set(Candidate.objects.values_list("text", "state", "wanted")) == {
            ("b", "open", 3),
            ("c", "open", 3),
        }


class TestUndo:
    def test_everything_of_it_goes(self, project: Project) -> None:
        made = import_into(project, files={NAME: HAND_WRITTEN})
        undo_import(data_import=made)
        assert made.state == DataImport.State.UNDONE
        assert not any(rows_stored().values())
        assert not Decision.objects.exists()
        assert not GoldChange.objects.exists()

    def test_the_file_can_then_be_imported_again(self, project: Project, tmp_path: Path) -> None:
        undo_import(data_import=import_into(project, files={NAME: HAND_WRITTEN}))
        import_into(project, files={NAME: HAND_WRITTEN})
        assert written(project, tmp_path) == HAND_WRITTEN

    def test_another_import_is_left_alone(self, project: Project) -> None:
        import_lines(project, released())
        undo_import(data_import=import_lines(project, released(question="when")))
        assert [text for text, _, _ in decisions()] == ["b", "c", "d"]
        assert GoldAnswer.objects.count() == 1

    @pytest.mark.parametrize("is_decided_anew", [True, False])
    def test_what_a_person_did_since_keeps_it(
        self, project: Project, lead: User, is_decided_anew: bool
    ) -> None:
        made = import_lines(project, released())
        answer = Candidate.objects.get(text="c")
        given = {"project": project, "candidate_id": answer.public_id, "by": lead, "reason": "Look again."}
        if is_decided_anew:
            decide_answer(**given, label="definitely_correct")
        else:
            reopen_answer(**given)
        with pytest.raises(DecisionsInUse):
            undo_import(data_import=made)
        made.refresh_from_db()
        assert made.state == DataImport.State.APPLIED
        assert Decision.objects.filter(source=Decision.Source.IMPORTED, number=1).count() == 3

    def test_answers_that_systems_gave_later_stay_and_wait_for_raters(self, project: Project) -> None:
        made = import_lines(project, released())
        line = {"question": "who", "answer": ["a"], "prediction": "b"}
        import_into(project, files={"DPR.jsonl": json.dumps(line)})
        undo_import(data_import=made)
        assert list(Candidate.objects.values_list("text", "state", "wanted")) == [("b", State.OPEN, 3)]
