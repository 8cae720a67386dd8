"""Say what produced the numbers of a table that sets programs and people beside each other."""

from collections.abc import Iterable, Sequence

from annotation.gold.selectors import ledger_summary
from annotation.projects.models import Project
from annotation.projects.selectors import name_sample
from common.identifiers import sign_figures
from judges.comparison.rules import Filter, Scope
from judges.comparison.rules.study.boards import SEED
from judges.registry import hash_signature

# As juries name their members.
HASH_LENGTH = 16


def name_judges(signatures: Iterable[str]) -> str:
    """Return the beginnings of signatures' hashes, in an order that does not depend on theirs."""
    return ",".join(sorted(hash_signature(each)[:HASH_LENGTH] for each in signatures))


def name_ledger(project: Project) -> str:
    """Return the version of the gold lists as people amended them."""
    return ledger_summary(project=project).version


def sign_comparison(
    project: Project,
    subject: str,
    *,
    wanted: Filter | None = None,
    judges: Iterable[str] = (),
    has_intervals: bool = True,
    ledger: str | None = None,
    **choices: object,
) -> str:
    """Return in one line what a table is of, what was chosen, and whether there are intervals.

    wanted: the questions and systems that count; without it those of the judged sample do. judges: the
    signatures of all that have numbers in the table, in any order; the line names each by its hash.
    ledger: as `name_ledger` gives it, which reads it anew where
    nothing is given: for tables with a line each row.
    """
    return sign_figures(
        subject,
        **choices,
        **(wanted._asdict() if wanted else {}),
        judges=name_judges(judges),
        protocol=project.protocol and project.protocol.number,
        sample=name_sample(project),
        ledger=ledger or name_ledger(project),
        has_intervals=has_intervals,
        seed=SEED if has_intervals else None,
    )


def sign_across(projects: Sequence[Project], *, judges: Iterable[str]) -> str:
    """Return the same of several projects in one table; their order matters to how questions are drawn."""
    return sign_figures(
        "projects",
        projects=",".join(project.slug for project in projects),
        scope=Scope.SAMPLE.value,
        judges=name_judges(judges),
        protocols=",".join(str(project.protocol.number) if project.protocol else "-" for project in projects),
        samples=";".join(name_sample(project) for project in projects),
        ledgers=",".join(map(name_ledger, projects)),
        has_intervals=True,
        seed=SEED,
    )
