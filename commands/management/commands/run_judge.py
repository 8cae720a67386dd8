"""Set a judge to work on a project."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from annotation.projects.models import Project
from annotation.release.rules import count_of
from commands.arguments import find_project, read_usd, refusals
from common.clock import now
from judges.connections.rules.calls import pico_from_usd, usd_from_pico
from judges.registry import JUDGES
from judges.runs.models import JudgeRun
from judges.runs.rules import Scope
from judges.runs.selectors.progress import RunProgress, get_progress
from judges.runs.selectors.work import ACTIVE_STATES
from judges.runs.services.control import start_run
from judges.runs.services.planning import Estimate, estimate_run
from judges.runs.services.worker import work_on_run

POLL_SECONDS = 0.5
BATCHES_A_TURN = 10
# What every database stores as an integer.
LARGEST_NUMBER = 2**31 - 1


class Command(BaseCommand):
    """Set a judge to work, and with `--wait` do the work here."""

    help = (
        "Run a judge on all answers in a project that have no verdict from it yet. If people judge a "
        "sample, judges that cost time or money judge only the sample, unless you pass --all. The "
        "background worker does the work; with --wait, this command does part of it. To continue a run "
        "and retry what failed, run the command again with the same options. Judges that use a model "
        "need a connection in the project (see connect_model); --estimate prints the cost. Exit codes: 0 "
        "done; 1 the run failed, was paused, or cannot be started; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        startable = [entry.key for entry in JUDGES.values() if entry.is_startable]
        parser.add_argument("judge", choices=startable, metavar="KEY", help=", ".join(startable))
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project’s address (slug)")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="OPTION=VALUE",
            help="an option of the judge (see docs/judges.md)",
        )
        parser.add_argument(
            "--connection", default="", metavar="NAME", help="the connection to use, by name or ID"
        )
        parser.add_argument("--cap", default=None, metavar="USD", help="maximum spending on the run")
        parser.add_argument(
            "--sample",
            type=_from(1),
            default=None,
            metavar="N",
            help="judge only this many answers, sampled at random",
        )
        parser.add_argument(
            "--follow",
            action="store_true",
            default=None,
            help="also judge new answers as they arrive; if calls cost money, pass --cap, too",
        )
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--judged",
            dest="only_judged",
            action="store_true",
            default=None,
            help="only answers that people judge",
        )
        which.add_argument(
            "--all",
            dest="only_judged",
            action="store_false",
            help="all answers, whether or not people judge them",
        )
        parser.add_argument(
            "--dataset", default="", metavar="NAME", help="only answers to questions in this data set"
        )
        parser.add_argument(
            "--system", default="", metavar="NAME", help="only answers from this system; pass its name or ID"
        )
        parser.add_argument(
            "--seed", type=_from(0), default=0, metavar="N", help="seed of the sample (default: 0)"
        )
        parser.add_argument(
            "--estimate", action="store_true", help="print the estimated cost without starting"
        )
        parser.add_argument("--wait", action="store_true", help="return when every answer is judged")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Estimate; or start the run, wait if asked to, and report."""
        project = find_project(options["project"])
        what = {
            "project": project,
            "judge_key": options["judge"],
            "options": self._chosen(options["set"]),
            "connection_id": _connection_id(project, options["connection"]),
            "sample_size": options["sample"],
            "scope": Scope(
                options["only_judged"], options["dataset"], _system_id(project, options["system"])
            ),
        }
        cap = None if options["cap"] is None else read_usd("--cap", options["cap"], pico_from_usd)
        with refusals(of_usage=True):
            if options["estimate"]:
                self._tell(estimate_run(**what), as_json=options["json"])
                return
            run = start_run(**what, spend_cap=cap, sample_seed=options["seed"], follows=options["follow"])
        if options["wait"]:
            self._finish(run)
        self._report(get_progress(run=run, at=now()), as_json=options["json"])

    def _tell(self, estimate: Estimate, *, as_json: bool) -> None:
        costs = {"cost": _usd(estimate.cost), "most_cost": _usd(estimate.most_cost)}
        if as_json:
            self.stdout.write(json.dumps({**asdict(estimate), **costs}))
            return
        self.stdout.write(f"{count_of(estimate.answers, 'answer')}, {count_of(estimate.calls, 'call')}")
        if estimate.calls:
            about = f"about {costs['cost']} USD and {estimate.seconds:.0f} s"
            self.stdout.write(f"{about}; at most {costs['most_cost']} USD")

    def _chosen(self, pairs: list[str]) -> dict[str, str]:
        parted = [pair.partition("=") for pair in pairs]
        for name, equals, _ in parted:
            if not name or not equals:
                raise CommandError(f"--set {name}: write it as OPTION=VALUE.", returncode=2)
        return {name: value for name, _, value in parted}

    def _finish(self, run: JudgeRun) -> None:
        while run.state in ACTIVE_STATES:
            # What a worker has in hand is waited for; its lease ends if it died.
            if not work_on_run(run_id=run.pk, batches=BATCHES_A_TURN):
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
            for line in _spending(progress):
                self.stdout.write(line)
        if run.state in {JudgeRun.State.FAILED, JudgeRun.State.PAUSED}:
            raise CommandError(run.message, returncode=1)


def _from(least: int) -> Callable[[str], int]:
    def whole_number(text: str) -> int:
        number = int(text)
        if not least <= number <= LARGEST_NUMBER:
            raise ValueError
        return number

    return whole_number


def _connection_id(project: Project, given: str) -> str:
    """Return the id of the connection that has this name; what is no name is taken for an id."""
    named = project.connections.filter(name=given, archived_at=None).first() if given else None
    return named.public_id if named else given


def _system_id(project: Project, given: str) -> str:
    """Return the id of the system of this name or label; what is neither is taken for an id."""
    named = project.systems.filter(Q(name=given) | Q(label=given)).order_by("pk").first() if given else None
    return named.public_id if named else given


def _usd(amount: int) -> str:
    return f"{usd_from_pico(amount):f}"


def _spending(progress: RunProgress) -> list[str]:
    calls, rest, is_paid = progress.calls, progress.rest, progress.run.connection_id is not None
    lines = []
    if is_paid:
        lines.append(
            f"{count_of(calls.calls, 'call')}, {calls.cache_hits} reused, {_usd(progress.run.spent)} USD"
        )
    if rest is not None:
        words = [count_of(rest.answers, "answer")]
        words += [f"about {_usd(rest.cost)} USD"] if is_paid else []
        words += [] if rest.seconds is None else [f"about {rest.seconds:.0f} s"]
        lines.append(f"still to judge: {', '.join(words)}")
    return lines


def _summary(progress: RunProgress) -> dict[str, Any]:
    run = progress.run
    return {
        "id": run.public_id,
        "judge": run.judge_key,
        "signature": run.signature,
        "state": run.state,
        "only_judged": run.only_judged,
        "dataset": run.only_dataset,
        "system": progress.system,
        "follows": progress.follows,
        "total": progress.total,
        "done": progress.done,
        "unscored": progress.unscored,
        "failed": progress.failed,
        "failures": [asdict(failure) for failure in progress.failures],
        "message": run.message,
        "spent": _usd(run.spent),
        "calls": progress.calls.calls,
        "cache_hits": progress.calls.cache_hits,
        "rest": progress.rest and {**asdict(progress.rest), "cost": _usd(progress.rest.cost)},
    }
