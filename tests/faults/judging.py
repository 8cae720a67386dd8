"""A slow judge, a project for it, and a worker that has both: `celery --app tests.faults.judging worker`.

Run as a program it makes the tables and starts the run: `python -m tests.faults.judging OPTIONS`, as JSON.
"""

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from django.db.models import Q  # noqa: E402

from config.celery import app  # noqa: E402 (found here by the worker)
from judges import registry  # noqa: E402
from judges.connections.rules import calls  # noqa: E402
from judges.connections.services.changes import create_connection  # noqa: E402
from judges.protocol import JudgeInput, Verdict  # noqa: E402
from judges.runs import rules  # noqa: E402
from judges.runs.models import JudgeRun, RunBatch  # noqa: E402
from judges.runs.services import batches, control, spending  # noqa: E402
from tests.faults.filing import stop_in_the_middle  # noqa: E402

BATCH_SIZE = int(os.environ.get("SLOW_JUDGE_BATCH", "4"))
ANSWERS = 4
SECONDS_A_BATCH = 0.15


@dataclass(frozen=True)
class SlowOptions:
    """None."""


class SlowJudge:
    """Accepts everything, takes its time, and notes each batch it was asked to judge."""

    Options = SlowOptions

    def __init__(self, options: SlowOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        with Path(os.environ["SLOW_JUDGE_JOURNAL"]).open("a", encoding="utf-8") as journal:
            journal.write(f"{batch[0].question}\n")
        time.sleep(SECONDS_A_BATCH)
        return [Verdict(accepted=True) for _ in batch]


# Only in processes started for it: the tests' own process must not know this judge.
if "SLOW_JUDGE_JOURNAL" in os.environ:
    registry.JUDGES["slow"] = registry.JUDGES["exact_match"]._replace(
        key="slow",
        name="Slow",
        factory=f"{__name__}:SlowJudge",
        is_lexical=False,
        is_automatic=False,
        batch_size=BATCH_SIZE,
    )


def hurry() -> None:
    """Wait less than an installation does, where no setting says how long."""
    calls.USUAL_REST_SECONDS = 0.5
    rules.LONGEST_PAUSE_SECONDS = 1
    spending.RETRY_SECONDS = 1
    app.conf.beat_schedule["wake-runs"]["schedule"] = 0.5


if "HURRY" in os.environ:
    hurry()


if "STAND_STILL_JOURNAL" in os.environ:
    stop_in_the_middle(Path(os.environ["STAND_STILL_JOURNAL"]))


def break_the_claim() -> None:
    """Let every worker believe that the batch it looked at is its own, and settle whatever it has."""

    def claim_anyway(batch: RunBatch, *, at: object) -> batches.Claim:
        RunBatch.objects.filter(pk=batch.pk).update(state=RunBatch.State.CLAIMED, lease_expires_at=at)
        JudgeRun.objects.filter(pk=batch.run_id).update(state="running", started_at=at)
        return batches.Claim(batch.pk, batch.run_id, batch.candidate_ids, "anybody", 1)

    def close_anyway(claim: batches.Claim, **changes: object) -> bool:
        return bool(RunBatch.objects.filter(pk=claim.batch_id).update(**changes))

    batches._try_to_claim = claim_anyway
    batches._close = close_anyway


if "BROKEN_CLAIM" in os.environ:
    break_the_claim()


def break_the_reservation() -> None:
    """Let every call be reserved, whatever is spent already."""
    spending.has_room = lambda more: Q()


if "BROKEN_RESERVATION" in os.environ:
    break_the_reservation()


def seed(*, questions: int, connection: dict[str, Any] | None = None, spend_cap: int | None = None) -> None:
    """Make the tables and a project, and start a judge on it.

    With a connection it is the LLM judge, which takes one answer at a time; else the slow one, which
    takes the answers of a question.
    """
    from tests.factories import make_project
    from tests.faults.tables import make_tables
    from tests.judges.runs.conftest import add_question

    if "BROKEN_RESERVATION" in os.environ:
        drop_the_cap()
    make_tables()
    project = make_project(slug="slow")
    for number in range(questions):
        answers = [f"answer {number}-{place}" for place in range(ANSWERS)]
        add_question(project, f"question {number}", golds=["gold"], answers=answers)
    if connection is None:
        control.start_run(project=project, judge_key="slow", options={})
        return
    made = create_connection(
        project=project, by=project.created_by, name="hostile", model="hostile-1", **connection
    )
    # Short replies: a call holds what it costs at most, and the caps of tests pay for many.
    control.start_run(
        project=project,
        judge_key="llm",
        options={"max_tokens": 100},
        connection_id=made.public_id,
        spend_cap=spend_cap,
    )


def drop_the_cap() -> None:
    """Take away what the database would guard, before the tables are made."""
    constraints = JudgeRun._meta.constraints
    constraints[:] = [each for each in constraints if each.name != "run_never_past_its_cap"]


if __name__ == "__main__":
    seed(**json.loads(sys.argv[1]))
