"""Verdicts as they are written: every value comes back as it was, on either database."""

import pytest
from django.db import IntegrityError, transaction

from annotation.projects.models import Project
from common.clock import now
from judges.protocol import Verdict as Said
from judges.runs.models import JudgeRun
from judges.runs.services.batches import store_verdicts
from tests.judges.runs.services.conftest import start


@pytest.fixture
def run(study: Project) -> JudgeRun:
    return start(study)


class TestStoreVerdicts:
    @pytest.mark.parametrize(
        "said",
        [
            Said(accepted=True, score=1.0),
            Said(accepted=False, score=2 / 3),
            Said(accepted=False, score=1e-17),
            Said(accepted=None, unscored_reason="abstained"),
            Said(
                accepted=True,
                raw_reply="tab\tline\nreturn\r\\N back\\slash \\. “é” 中",
                flags=("injection", "long"),
            ),
            Said(accepted=True, raw_reply="\\N"),
        ],
    )
    def test_keeps_every_value(self, run: JudgeRun, said: Said) -> None:
        at = now()
        candidate = run.project.candidates.earliest("pk")
        store_verdicts(run_id=run.pk, verdicts={candidate.pk: said}, at=at)
        stored = run.verdicts.get()
        assert (stored.candidate_id, stored.accepted, stored.score) == (
            candidate.pk,
            said.accepted,
            said.score,
        )
        assert (stored.unscored_reason, stored.raw_reply) == (said.unscored_reason, said.raw_reply)
        assert (stored.flags, stored.judged_at) == (",".join(said.flags), at)

    def test_replaces_what_no_database_takes(self, run: JudgeRun) -> None:
        candidate = run.project.candidates.earliest("pk")
        store_verdicts(run_id=run.pk, verdicts={candidate.pk: Said(True, raw_reply="a\0b\ud800c")}, at=now())
        assert run.verdicts.get().raw_reply == "a\N{REPLACEMENT CHARACTER}b?c"

    def test_writes_nothing_of_nothing(self, run: JudgeRun) -> None:
        store_verdicts(run_id=run.pk, verdicts={}, at=now())
        assert not run.verdicts.exists()

    def test_is_held_to_the_constraints(self, run: JudgeRun) -> None:
        verdicts = {run.project.candidates.earliest("pk").pk: Said(accepted=True)}
        store_verdicts(run_id=run.pk, verdicts=verdicts, at=now())
        with pytest.raises(IntegrityError), transaction.atomic():
            store_verdicts(run_id=run.pk, verdicts=verdicts, at=now())
