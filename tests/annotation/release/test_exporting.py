import csv
import hashlib
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.adjudication.services.recorded import replay_votes
from annotation.assignments.services.handing_out import hand_out
from annotation.items.formats.records import Vote
from annotation.items.models import GoldAnswer
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.submitting import submit_sheet
from annotation.projects.models import Membership, Project
from annotation.release import services
from annotation.release.models import Export
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import (
    ExportGone,
    ExportNotFinished,
    UnknownFormat,
    make_export,
    open_export_path,
    ring_for_open_exports,
    start_export,
    write_file,
)
from common.clock import now
from config.steps.sweeper import see_to
from tests.annotation.adjudication.factories import make_answers, make_ballot, vote

FORMATS = [form.key for form in EXPORT_FORMATS]


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture(autouse=True)
def judged(project: Project) -> Project:
    """Three answers: agreed on, settled by a third, and one with a blank; one is a formula."""
    answers = make_answers(
        project=project,
        question="capital of france",
        gold=["Paris", "Lyon"],
        texts=["=Paris", 'the "City"', "Lyon"],
    )
    rows = [("Yes", "Yes", ""), ("Yes", "No", "Yes"), ("No", "", "No")]
    replay_votes(
        project=project,
        ballots=[
            make_ballot(answer.pk, [Vote(f"r{number}", word) for number, word in enumerate(row)])
            for answer, row in zip(answers, rows, strict=True)
        ],
    )
    return project


def written(project: Project, key: str, folder: Path) -> str:
    write_file(project=project, format_key=key, path=folder / key)
    return (folder / key).read_text(encoding="utf-8")


class TestWriteFile:
    @pytest.mark.parametrize("key", FORMATS)
    def test_the_same_state_gives_the_same_bytes(self, project: Project, tmp_path: Path, key: str) -> None:
        first = write_file(project=project, format_key=key, path=tmp_path / "first")
        second = write_file(project=project, format_key=key, path=tmp_path / "second")
        assert first == second
        assert first.sha256 == hashlib.sha256((tmp_path / "first").read_bytes()).hexdigest()
        assert first.size == (tmp_path / "first").stat().st_size

    def test_openqa_votes_come_out_as_they_went_in(self, project: Project, tmp_path: Path) -> None:
        rows = list(
            csv.DictReader(written(project, "openqa-eval-votes", tmp_path).splitlines(), delimiter="\t")
        )
        assert [tuple(row.values())[2:] for row in rows] == [
            ("=Paris", "Yes", "Yes", "Yes", ""),
            ('the "City"', "Yes", "Yes", "No", "Yes"),
            ("Lyon", "No", "No", "", "No"),
        ]

    def test_a_vote_that_came_after_a_lead_decided_breaks_no_tie_in_the_openqa_form(
        self, project: Project, annotators: list[Membership], tmp_path: Path
    ) -> None:
        (answer,) = make_answers(project=project, question="who", texts=["me"])
        for rater, label in zip(annotators, ("correct", "incorrect"), strict=False):
            vote(rater=rater, labels={"me": label})
        (sheet,) = hand_out(rater=annotators[2])
        decide_answer(
            project=project,
            candidate_id=answer.public_id,
            by=project.created_by,
            label="correct",
            category="evidence",
            reason="read it up",
        )
        submit_sheet(
            rater=annotators[2],
            sheet_id=sheet.public_id,
            submission_key="late",
            answers=[AnswerGiven(id=answer.public_id, label="incorrect")],
        )
        assert Judgment.objects.get(rater=annotators[2]).state == Judgment.State.SURPLUS
        assert '"me"\t"Yes"\t"Yes"\t"No"\t""\n' in written(project, "openqa-eval-votes", tmp_path)
        assert ",me,me,correct,incorrect,incorrect,correct," in written(project, "votes-wide-csv", tmp_path)

    def test_the_amended_gold_list_lacks_what_was_rejected(self, project: Project, tmp_path: Path) -> None:
        line = json.loads(written(project, "openqa-eval-gold", tmp_path))
        # "=Paris" was accepted, too, and exact match holds it equal to "Paris".
        assert line["answer"] == ["Paris", 'the "City"']

    def test_patterns_stand_apart_from_the_gold_answers(self, project: Project, tmp_path: Path) -> None:
        GoldAnswer.objects.filter(text="Paris").update(kind=GoldAnswer.Kind.REGEX, text="Pari?s")
        line = json.loads(written(project, "openqa-eval-gold", tmp_path))
        assert "Pari?s" not in line["answer"]
        assert line["patterns"] == ["Pari?s"]

    def test_the_efficientqa_form_has_patterns_apart(self, project: Project, tmp_path: Path) -> None:
        GoldAnswer.objects.filter(text="Paris").update(kind=GoldAnswer.Kind.REGEX, text="Pari?s")
        line = json.loads(written(project, "efficientqa-gold", tmp_path))
        assert line["answer"] == ["Lyon"]
        assert "Pari?s" not in line["answer_and_def_correct_predictions"]
        assert list(line)[-1] == "patterns"
        assert line["patterns"] == ["Pari?s"]

    def test_the_efficientqa_form_keeps_rejected_gold(self, project: Project, tmp_path: Path) -> None:
        line = json.loads(written(project, "efficientqa-gold", tmp_path))
        assert line["answer"] == ["Paris", "Lyon"]
        assert line["def_incorrect_predictions"] == ["Lyon"]

    def test_raters_stand_under_pseudonyms(self, project: Project, tmp_path: Path) -> None:
        votes = [json.loads(line) for line in written(project, "votes-jsonl", tmp_path).splitlines()]
        assert {vote["rater"] for vote in votes} == set(
            project.members.filter(user__is_imported=True).values_list("pseudonym", flat=True)
        )
        assert {vote["round"] for vote in votes} == {"first", "tie_break", "replacement"}
        assert {vote["protocol_hash"] for vote in votes} == {project.protocol.content_hash}

    def test_formulas_are_neutralized_in_csv_and_not_in_jsonl(self, project: Project, tmp_path: Path) -> None:
        rows = list(csv.DictReader(written(project, "votes-csv", tmp_path).splitlines()))
        assert "'=Paris" in {row["answer"] for row in rows}
        assert '"answer": "=Paris"' in written(project, "votes-jsonl", tmp_path)

    def test_the_wide_form_says_why_a_person_decided(self, project: Project, tmp_path: Path) -> None:
        decide_answer(
            project=project,
            candidate_id=project.candidates.get(text="Lyon").public_id,
            by=project.created_by,
            label="correct",
            category="evidence",
            reason="=read it up",
        )
        rows = csv.DictReader(written(project, "votes-wide-csv", tmp_path).splitlines())
        decided = {row["answer"]: (row["source"], row["category"], row["reason"]) for row in rows}
        assert decided["Lyon"] == ("adjudicated", "evidence", "'=read it up")
        assert decided["'=Paris"] == ("unanimous", "", "")

    def test_an_unknown_format_is_refused_naming_those_there_are(
        self, project: Project, tmp_path: Path
    ) -> None:
        with pytest.raises(UnknownFormat, match="votes-csv"):
            write_file(project=project, format_key="xlsx", path=tmp_path / "file")

    def test_a_failure_leaves_no_half_file(
        self, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(**_: object) -> Iterator[str]:
            yield "one line"
            raise OSError(28, "No space left on device")

        form = services.get_format("votes-csv")._replace(lines=broken)
        monkeypatch.setattr(services, "get_format", lambda _: form)
        with pytest.raises(OSError, match="No space"):
            write_file(project=project, format_key="votes-csv", path=tmp_path / "folder" / "file")
        assert list((tmp_path / "folder").iterdir()) == []


class TestStartExport:
    def test_a_small_export_is_made_at_once(self, project: Project, lead: User) -> None:
        export = start_export(project=project, format_key="votes-csv", by=lead)
        assert (export.state, export.rows, export.file_name) == ("finished", 7, "small_votes.csv")
        content = open_export_path(export=export).read_bytes()
        assert hashlib.sha256(content).hexdigest() == export.sha256

    def test_a_large_export_waits_for_a_worker(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(services, "INLINE_ROWS", 0)
        export = start_export(project=project, format_key="votes-csv", by=lead)
        assert export.state == "queued"
        with pytest.raises(ExportNotFinished):
            open_export_path(export=export)
        make_export(export_id=export.pk)
        export.refresh_from_db()
        assert export.state == "finished"

    def test_a_disk_that_is_full_is_said_on_the_row(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(**_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(services, "write_file", full)
        export = start_export(project=project, format_key="votes-csv", by=lead)
        assert (export.state, export.message) == (
            "failed",
            "The server could not write the file: No space left on device.",
        )

    def test_a_bug_ends_the_export_instead_of_being_tried_for_ever(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(**_: object) -> None:
            raise KeyError("label")

        monkeypatch.setattr(services, "write_file", broken)
        with pytest.raises(KeyError):
            start_export(project=project, format_key="votes-csv", by=lead)
        export = project.exports.get()
        assert (export.state, export.lease_expires_at) == ("failed", None)
        assert services.ring_for_open_exports() == 0

    def test_a_file_that_was_deleted_is_said_to_be_gone(self, project: Project, lead: User) -> None:
        export = start_export(project=project, format_key="votes-csv", by=lead)
        open_export_path(export=export).unlink()
        with pytest.raises(ExportGone):
            open_export_path(export=export)


class TestLease:
    @pytest.fixture
    def export(self, project: Project, lead: User) -> Export:
        return Export.objects.create(
            project=project, format="votes-csv", file_name="f.csv", created_by=lead, created_at=now()
        )

    def test_somebody_elses_export_is_left_alone(self, export: Export) -> None:
        Export.objects.update(state="running", lease_expires_at=now() + timedelta(minutes=1))
        make_export(export_id=export.pk)
        export.refresh_from_db()
        assert export.state == "running"
        assert ring_for_open_exports() == 0

    def test_an_abandoned_export_is_taken_up_again(self, export: Export) -> None:
        Export.objects.update(state="running", lease_expires_at=now() - timedelta(minutes=1))
        assert ring_for_open_exports() == 1
        make_export(export_id=export.pk)
        export.refresh_from_db()
        assert export.state == "finished"

    def test_one_whose_process_is_gone_need_not_wait_for_its_lease(
        self, export: Export, tmp_path: Path
    ) -> None:
        Export.objects.update(state="running", lease_expires_at=now() + timedelta(minutes=14))
        assert ring_for_open_exports() == 0
        # What a killed process leaves behind: its file, which nobody has locked, and half of what it wrote.
        work = tmp_path / "at-work" / f"export-{export.public_id}"
        work.parent.mkdir(exist_ok=True)
        work.touch()
        half = tmp_path / "exports" / f".{export.public_id}_{export.file_name}.half"
        half.parent.mkdir(exist_ok=True)
        half.write_text("half a li")
        # The queue gives what it died over to the next one at once.
        make_export(export_id=export.pk)
        assert ring_for_open_exports() == 1
        make_export(export_id=export.pk)
        export.refresh_from_db()
        assert export.state == "finished"
        assert not work.exists()
        assert not half.exists()

    def test_one_that_kills_its_workers_is_given_up(self, export: Export, tmp_path: Path) -> None:
        later = now() + timedelta(minutes=14)
        Export.objects.update(state="running", lease_expires_at=later, attempts=services.MOST_ATTEMPTS)
        (tmp_path / "at-work").mkdir(exist_ok=True)
        (tmp_path / "at-work" / f"export-{export.public_id}").touch()
        assert ring_for_open_exports() == 0
        export.refresh_from_db()
        assert (export.state, export.lease_expires_at) == ("failed", None)
        assert "3 times" in export.message

    def test_the_sweeper_rings_for_what_waits(self, export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
        rung: list[tuple[object, ...]] = []
        monkeypatch.setattr(services, "enqueue_on_commit", lambda *call: rung.append(call))
        see_to("exports")
        assert rung == [("annotation.release.make_export", export.pk)]
