"""A report beside the study that it is of: what differs, and what votes say of decisions."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from judges.verification.rules.differences import Numbers, Verified, compare, flatten
from judges.verification.rules.facts import Facts
from judges.verification.rules.paragraph import judges_of, labels_of, read_paragraph, recount_paragraph
from judges.verification.rules.recount.beside import recount_judges
from judges.verification.rules.recount.prejudged import recount_prejudging, recount_routing
from judges.verification.rules.recount.scores import recount_systems
from judges.verification.rules.recount.votes import (
    StoredLabel,
    check_verdicts,
    check_votes,
    recount_agreement,
)
from judges.verification.rules.study import StoredStudy


class Findings(NamedTuple):
    """What a recount found.

    numbers: those of the report. labels: votes, decisions and verdicts stored otherwise than they came about.
    """

    numbers: Verified
    labels: list[StoredLabel]

    @property
    def all_agree(self) -> bool:
        """Whether nothing differs."""
        return not self.numbers.differences and not self.labels

    def to_json(self) -> dict[str, Any]:
        """Return the same as plain records."""
        return {
            "all_agree": self.all_agree,
            "compared": self.numbers.compared,
            "differences": [each._asdict() for each in self.numbers.differences],
            "labels": [each._asdict() for each in self.labels],
            "not_recounted": self.numbers.not_recounted,
        }


def verify(study: StoredStudy, report: dict[str, Any]) -> Findings:
    """Count a report's numbers again from a study; the report may have agreement under any of the rules."""
    rules = [str(entry["missing_votes"]) for entry in report.get("agreement", []) if entry["missing_votes"]]
    recounted = recount_report(study, rules=rules)
    shown = flatten({name: value for name, value in report.items() if name != "project"})
    facts = Facts(study)
    if methods := report.get("methods"):
        judges = judges_of(report)
        shown |= read_paragraph(methods["text"], facts=facts, judges=judges, labels=labels_of(report))
        recounted |= recount_paragraph(facts, recounted, judges)
    return Findings(compare(shown, recounted), [*check_votes(facts), *check_verdicts(facts)])


def recount_report(study: StoredStudy, *, rules: Iterable[str]) -> Numbers:
    """Return the numbers of `report --json` by place; rules: for missing votes, those of its agreement."""
    facts = Facts(study)
    found = recount_systems(facts)
    found |= recount_judges(facts)
    found |= recount_prejudging(facts)
    found |= recount_routing(facts)
    for rule in rules:
        found |= recount_agreement(facts, rule)
    # A judge's ranking beside people's is said of its column and of its row.
    taus = {
        place.replace("columns ›", "judges ›"): value
        for place, value in found.items()
        if place.endswith("kendall_tau_b") and f"judges › {place.split(' › ')[1]} › tp" in found
    }
    return found | taus
