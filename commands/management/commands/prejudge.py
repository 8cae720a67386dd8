"""Let verdicts settle answers by a policy, look at what that would do, or undo it."""

import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.intervals import Figure
from annotation.projects.events import ResultsWanted
from annotation.projects.models import Project
from annotation.release.rules import count_of
from commands.arguments import find_project, refusals
from common.events import publish
from judges.comparison.selectors.leaderboard.corrected import PolicyPreview, preview_policy
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer
from judges.prejudging.rules.audit import AuditFigures
from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.policies import find_applications
from judges.prejudging.selectors.preview import BesidePeople
from judges.prejudging.services.policies import (
    apply_policy,
    make_policy,
    save_policy,
    undo_application,
    work_on_application,
)


class Command(BaseCommand):
    """Apply a study's policy here and now, with `--preview` or `--undo` instead."""

    help = (
        "Let judges settle the answers that a policy covers. All other answers, and a random share of "
        "the covered ones, go to annotators. Uses the saved policy, or reads one from --policy and saves it: "
        'a JSON object that has "rules" and optionally has "audit_share" and "seed" as keys. A rule is an '
        'object such as {"runs": ["exact_match"], "condition": "any_accepts"}. Name runs by ID or by their '
        "judge’s key. Exit codes: 0 done; 1 the policy cannot be applied or undone; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project’s address (slug)")
        parser.add_argument("--policy", type=Path, metavar="FILE", help="a policy as JSON")
        parser.add_argument(
            "--audit-share",
            type=float,
            metavar="SHARE",
            help="the share of answers to audit, from 0 to 1 (default for a new policy: 0.05)",
        )
        act = parser.add_mutually_exclusive_group()
        act.add_argument(
            "--preview", action="store_true", help="count what would be settled, without changing anything"
        )
        act.add_argument("--undo", action="store_true", help="undo the latest application of a policy")
        parser.add_argument("--rule", type=int, metavar="NUMBER", help="with --undo: undo only this rule")
        parser.add_argument(
            "--reason", default="Undone from the command line.", help="with --undo: the reason"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what was asked for and report."""
        project = find_project(options["project"])
        publish(ResultsWanted(project_id=project.pk))
        with refusals(of_usage=True):
            report = self._act(project, options)
        self._write(report, as_json=options["json"])

    def _act(self, project: Project, options: dict[str, Any]) -> dict[str, Any]:
        if options["undo"]:
            return _undo(project, rule=options["rule"], reason=options["reason"])
        given = _read(options["policy"])
        if options["audit_share"] is not None:
            given["audit_share"] = options["audit_share"]
        policy = make_policy(project=project, **given)
        if options["preview"]:
            return _preview_report(preview_policy(project=project, **policy._asdict()))
        save_policy(project=project, policy=policy)
        application = apply_policy(project=project)
        work_on_application(application_id=application.pk)
        return _report(project, application)

    def _write(self, report: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        if "given_back" in report:
            self._write_given_back(report)
            return
        for rule in report["rules"]:
            self.stdout.write(f"{rule['number']}. {rule['text']}")
            self.stdout.write(f"   {rule['decided']} settled, {rule['drawn']} sampled for the audit")
            if "words" in rule:
                self.stdout.write(f"   {rule['words']}")
        for score in report.get("scores", []):
            self.stdout.write(_expected_words(score))
        for row in report.get("by_share", []):
            self.stdout.write(_share_words(row))
        self.stdout.write(
            f"{report['state']}: {report['decided']} settled, {report['drawn']} sampled for the audit"
        )

    def _write_given_back(self, report: dict[str, Any]) -> None:
        for row in report["given_back"]:
            self.stdout.write(f"{row['number']}. {count_of(row['answers'], 'answer')} returned to annotators")
        total = sum(row["answers"] for row in report["given_back"])
        self.stdout.write(f"{report['state']}: {count_of(total, 'answer')} returned to annotators")


def _read(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read: {error}", returncode=1) from None
    known = {"rules": list, "audit_share": int | float, "seed": int}
    if not isinstance(given, dict) or any(
        name not in known or not isinstance(value, known[name]) for name, value in given.items()
    ):
        raise CommandError(f"{path} is not a policy. Write an object with {', '.join(known)}.", returncode=2)
    return given


def _undo(project: Project, *, rule: int | None, reason: str) -> dict[str, Any]:
    in_force = find_applications(project=project)
    if not in_force:
        raise CommandError("There is no applied policy to undo.", returncode=1)
    application = in_force[-1]
    before = _settled(application)
    undo_application(application=application, by=project.created_by, reason=reason, rule=rule)
    work_on_application(application_id=application.pk)
    given_back = sorted((before - _settled(application)).items())
    rows = [{"number": number, "answers": count} for number, count in given_back]
    return {**_report(project, application), "given_back": rows}


def _settled(application: PolicyApplication) -> Counter[int]:
    """Count by rule the answers that stand settled."""
    rows = PrejudgedAnswer.objects.filter(application=application, undone_at=None, is_audited=False)
    return Counter(rows.values_list("rule_number", flat=True))


def _preview_report(preview: PolicyPreview) -> dict[str, Any]:
    rules = [
        {
            "number": row.number,
            "text": row.text,
            "decided": row.decided,
            "drawn": row.drawn,
            "beside_people": _beside_people(row.beside_people),
            "words": _beside_people_words(row.beside_people),
        }
        for row in preview.rules
    ]
    counts = {name: getattr(preview, name) for name in ("open", "decided", "drawn", "to_people", "by_people")}
    expected = {
        "scores": [vars(score) for score in preview.scores],
        "wrong_share": preview.wrong_share,
        "tried": preview.tried,
        "by_share": [vars(row) for row in preview.by_share],
    }
    return {"rules": rules, **counts, **expected, "state": "preview"}


def _expected_words(score: dict[str, Any]) -> str:
    if score["half_width"] is None:
        return f"{score['label']}: no score, because too few of its settled answers would be audited"
    return (
        f"{score['label']}: score accurate to within ±{100 * score['half_width']:.1f} points "
        f"(±{100 * score['by_people']:.1f} if people judge every answer)"
    )


def _share_words(row: dict[str, Any]) -> str:
    judged = f"audit share {row['audit_share']:.3g}: people judge {count_of(row['to_people'], 'answer')}"
    if not row["half_widths"] or None in row["half_widths"]:
        return f"{judged}; too few settled answers would be audited for scores"
    return f"{judged}; scores accurate to within ±{100 * max(row['half_widths']):.1f} points"


def _beside_people(beside: BesidePeople) -> dict[str, Any]:
    return {"settled": beside.settled, "wrong": beside.wrong, **_share(beside.share)}


def _beside_people_words(beside: BesidePeople) -> str:
    if not beside.settled:
        return "People have decided no answers that this rule would settle, so its error rate is unknown."
    said = (
        f"Among {count_of(beside.settled, 'answer')} that people have decided and that this "
        f"rule would settle, the rule disagrees with people on {beside.wrong:,}"
    )
    share, low, high = beside.share.value, beside.share.low, beside.share.high
    if share is None or low is None or high is None:
        return f"{said}. That is too few answers to estimate its error rate."
    return f"{said}: {share:.1%} (95% interval {low:.1%} to {high:.1%})."


def _report(project: Project, application: PolicyApplication) -> dict[str, Any]:
    application.refresh_from_db()
    audit = read_audit(project=project, applications=[application])
    rules = [{"number": row.number, "text": row.text, **_figures_report(row.figures)} for row in audit.rules]
    return {
        "application": application.public_id,
        "number": application.number,
        "state": application.state,
        **_figures_report(audit.pooled),
        "rules": rules,
    }


def _figures_report(figures: AuditFigures) -> dict[str, Any]:
    return {
        "decided": figures.settled - figures.drawn,
        "drawn": figures.drawn,
        "audited": figures.decided,
        "disagreed": figures.disagreed,
        **_share(figures.share),
        "words": figures.words,
    }


def _share(share: Figure) -> dict[str, float | None]:
    return {"share": share.value, "low": share.low, "high": share.high}
