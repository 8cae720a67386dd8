"""A study that was restored is the study that was bundled, and one that stays is left alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.gold.models import GoldChange
from annotation.projects.models import Project
from annotation.release.services import _delete_rows
from judges.bundles.selectors.contents import PARTS
from judges.bundles.services.restoring import RESTORED
from judges.prejudging.models import CalibrationSample, Certificate, PolicyApplication
from judges.prejudging.rules.policies import content_hash, read_rules
from judges.prejudging.selectors.certificates import labels_hash
from judges.runs.models import JudgeRun, RunBatch
from tests.judges.bundles.factories import Parts, hashes, restore, take_apart, write
from tests.world import make_world


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def project(db: None) -> Project:
    """A study whose rows name rows and ids within texts and JSON, as they do at work."""
    project = make_world(slug="own").project
    run = project.judge_runs.get()
    answers = list(project.candidates.order_by("pk").values_list("pk", flat=True))
    RunBatch.objects.filter(run=run).update(candidate_ids=answers[2:5], size=3)
    CalibrationSample.objects.filter(project=project).update(newest_answer=answers[-2])
    Certificate.objects.update(labels_hash=labels_hash(CalibrationSample.objects.get(project=project)))
    application = PolicyApplication.objects.get(project=project)
    own = content_hash(
        rules=read_rules(application.rules), audit_share=application.audit_share, seed=application.seed
    )
    PolicyApplication.objects.update(content_hash=own)
    # The world's stands for an id; a real one is of the text alone.
    GoldChange.objects.filter(text_hash=project.candidates.order_by("pk")[0].public_id).update(
        text_hash="of text"
    )
    JudgeRun.objects.update(options={"members": f"{run.public_id},{run.public_id}"})
    return project


class TestWhereNothingIsLeft:
    def test_every_export_is_the_same(self, project: Project, tmp_path: Path) -> None:
        before = hashes(project, tmp_path / "before")
        path = write(project, tmp_path / "bundle.zip")
        _delete_rows(project)
        restored = restore(path, by=User.objects.get(username="lead-own"), slug="own", connects=True)
        assert hashes(restored, tmp_path / "after") == before
        assert take_apart(write(restored, tmp_path / "again.zip")) == take_apart(path)

    def test_keys_within_rows_are_those_of_here(self, project: Project, tmp_path: Path) -> None:
        names = list(project.candidates.order_by("pk").values_list("public_id", flat=True))
        path = write(project, tmp_path / "bundle.zip")
        _delete_rows(project)
        restored = restore(path, by=User.objects.get(username="lead-own"), slug="own")
        keys = dict(restored.candidates.values_list("public_id", "pk"))
        batch = RunBatch.objects.get(run__project=restored)
        assert batch.candidate_ids == [keys[name] for name in names[2:5]]
        sample = CalibrationSample.objects.get(project=restored)
        assert sample.newest_answer == keys[names[-2]]
        # A certificate that held holds.
        assert Certificate.objects.get().labels_hash == labels_hash(sample)

    def test_who_restores_leads_it(self, project: Project, tmp_path: Path) -> None:
        path = write(project, tmp_path / "bundle.zip")
        lead = User.objects.get(username="lead-own")
        restored = restore(path, by=lead, slug="copy")
        assert restored.members.get(user=lead).role == "lead"
        assert restored.members.get(user=lead).unblinded_at is not None
        assert restored.members.count() == project.members.count() + 1
        assert restored.members.filter(role="viewer").count() == 1

    def test_no_judge_goes_to_work_by_itself(self, project: Project, tmp_path: Path) -> None:
        JudgeRun.objects.update(state=JudgeRun.State.RUNNING)
        path = write(project, tmp_path / "bundle.zip")
        restored = restore(path, by=project.created_by, slug="copy")
        run = restored.judge_runs.get()
        assert (run.state, run.message) == ("paused", RESTORED)


class TestBesideTheStudyItself:
    def test_all_ids_are_made_anew_wherever_they_stand(self, project: Project, tmp_path: Path) -> None:
        former = take_apart(write(project, tmp_path / "bundle.zip"))
        restored = restore(
            tmp_path / "bundle.zip", by=User.objects.get(username="lead-own"), slug="copy", connects=True
        )
        made = take_apart(write(restored, tmp_path / "copy.zip"))
        for one, other in _ids(former, made):
            assert one != other
            former = {name: data.replace(one.encode(), other.encode()) for name, data in former.items()}
        signed = {"runs.jsonl", "policy-applications.jsonl"}
        for name in former.keys() - signed - {"manifest.json", "project.jsonl"}:
            assert made[name] == former[name], name
        application = PolicyApplication.objects.get(project=restored)
        rules = read_rules(application.rules)
        assert rules[0].runs == (restored.judge_runs.get().public_id,)
        assert application.content_hash == content_hash(
            rules=rules, audit_share=application.audit_share, seed=application.seed
        )
        assert restored.judge_runs.get().options["members"].count(restored.judge_runs.get().public_id) == 2

    def test_the_study_stays_as_it_is(self, project: Project, tmp_path: Path) -> None:
        before = hashes(project, tmp_path / "before")
        restore(tmp_path / "before" / "bundle", by=project.created_by)
        assert hashes(project, tmp_path / "after") == before

    def test_an_address_that_is_taken(self, project: Project, tmp_path: Path) -> None:
        path = write(project, tmp_path / "bundle.zip")
        assert restore(path, by=project.created_by, slug="copy").slug == "copy"
        assert restore(path, by=project.created_by, slug="").slug.startswith("own-")


def _ids(former: Parts, made: Parts) -> list[tuple[str, str]]:
    """Return each id and group with the one in its place."""
    pairs = set()
    for part in PARTS:
        lines = zip(former[part.file_name].splitlines(), made[part.file_name].splitlines(), strict=True)
        for one, other in lines:
            before, after = json.loads(one), json.loads(other)
            names = ("public_id", "group") if part.name in ("decisions", "gold-changes") else ("public_id",)
            pairs |= {(before[name], after[name]) for name in names if before.get(name)}
    return sorted(pairs)
