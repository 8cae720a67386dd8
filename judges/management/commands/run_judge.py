"""Set a judge to work on a project."""

import json
import time
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.projects.models import Project
from common.clock import now
from common.errors import DomainError
from judges.registry import JUDGES
from judges.runs.models import JudgeRun
from judges.runs.selectors import ACTIVE_STATES, RunProgress, get_progress
from judges.runs.services import start_run, work_on_run

STARTABLE = [entry.key for entry in JUDGES.values() if entry.is_startable]
POLL_SECONDS = 0.5


class Command(BaseCommand):
    """Set a judge to work, and with `--wait` do the work here."""

    help = (
        "Set a judge to work on every answer of a project that it has not judged yet. The work is done by "
        "the background worker or, with --wait, by this command as well. Started again with the same "
        "options it goes on with the same run. Exit codes: 0 done, 1 it failed or cannot be started, 2 usage."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("judge", choices=STARTABLE, metavar="KEY", help=", ".join(STARTABLE))
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument(
            "--set", action="append", default=[], metavar="OPTION=VALUE", help="see docs/judges.md"
        )
        parser.add_argument("--wait", action="store_true", help="return when every answer is judged")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Start the run, wait if asked to, and report."""
        chosen = self._chosen(options["set"])
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project “{options['project']}”.", returncode=1)
        try:
            run = start_run(project=project, judge_key=options["judge"], options=chosen)
        except DomainError as error:
            raise CommandError(error.message, returncode=2 if error.kind == "invalid" else 1) from None
        if options["wait"]:
            self._finish(run)
        self._report(get_progress(run=run, at=now()), as_json=options["json"])

    def _chosen(self, pairs: list[str]) -> dict[str, str]:
        parted = [pair.partition("=") for pair in pairs]
        for name, equals, _ in parted:
            if not name or not equals:
                raise CommandError(f"--set {name}: give it as OPTION=VALUE.", returncode=2)
        return {name: value for name, _, value in parted}

    def _finish(self, run: JudgeRun) -> None:
        while run.state in ACTIVE_STATES:
            # What a worker has in hand is waited for; its lease ends if it died.
            if not work_on_run(run_id=run.pk, batches=1):
                time.sleep(POLL_SECONDS)
            run.refresh_from_db()

    def _report(self, progress: RunProgress, *, as_json: bool) -> None:
        run = progress.run
        if as_json:
            self.stdout.write(json.dumps(_summary(progress), ensure_ascii=False))
        else:
            self.stdout.write(f"{run.signature}\n{run.state}: {progress.done} of {progress.total} judged")
            for failure in progress.failures:
                self.stdout.write(f"  {failure.count} without a verdict: {failure.reason}")
        if run.state == JudgeRun.State.FAILED:
            raise CommandError(run.message, returncode=1)


def _summary(progress: RunProgress) -> dict[str, Any]:
    run = progress.run
    return {
        "id": run.public_id,
        "judge": run.judge_key,
        "signature": run.signature,
        "state": run.state,
        "total": progress.total,
        "done": progress.done,
        "unscored": progress.unscored,
        "failed": progress.failed,
        "failures": [asdict(failure) for failure in progress.failures],
        "message": run.message,
    }
