"""Read which open answers a policy's rules speak for, and by which verdicts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from annotation.adjudication.selectors import free_for_machines
from annotation.items.models import Candidate
from annotation.projects.models import Project
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.rules import Finding, Rule, find_rule
from judges.runs.models import Verdict


class SaidVerdict(NamedTuple):
    """A verdict on an answer, by the public id of its run."""

    id: int
    run: str
    accepted: bool
    score: float | None


class FoundAnswer(NamedTuple):
    """An open answer that a rule settles; `name` says what it is, alike in every copy of the study."""

    candidate_id: int
    question_id: int
    name: str
    finding: Finding
    verdicts: tuple[SaidVerdict, ...]


def settleable(*, project_id: int) -> QuerySet[Candidate]:
    """Return the answers that a machine may settle and for which no rule in force speaks already."""
    spoken_for = PrejudgedAnswer.objects.filter(candidate=OuterRef("pk"), undone_at=None)
    return free_for_machines(project_id=project_id).exclude(Exists(spoken_for))


def open_question_ids(*, project_id: int) -> list[int]:
    """Return the questions that hold an answer a machine may settle, in the order in which all lock them."""
    rows = settleable(project_id=project_id).order_by("question_id").values_list("question_id", flat=True)
    return list(rows.distinct())


def find_answers(
    *, project: Project, rules: Sequence[Rule], question_ids: Iterable[int]
) -> list[FoundAnswer]:
    """Return the answers of these questions that a rule settles, each with its first rule's verdicts.

    A verdict with a flag settles nothing: a person should look at it first.
    """
    ids = list(question_ids)
    rows = settleable(project_id=project.pk).filter(question__in=ids).order_by("pk")
    fields = ("pk", "question_id", "question__key_hash", "group", "pool_hash", "duplicate")
    said = _verdicts(project, rules, ids)
    found = []
    for pk, question_id, *what in rows.values_list(*fields):
        finding = find_rule(rules=rules, verdicts={run: each.accepted for run, each in said[pk].items()})
        if finding is None:
            continue
        behind = tuple(said[pk][run] for run in rules[finding.rule - 1].runs if run in said[pk])
        found.append(FoundAnswer(pk, question_id, " ".join(map(str, what)), finding, behind))
    return found


def _verdicts(
    project: Project, rules: Sequence[Rule], question_ids: list[int]
) -> Mapping[int, dict[str, SaidVerdict]]:
    said: dict[int, dict[str, SaidVerdict]] = defaultdict(dict)
    rows = Verdict.objects.filter(
        run__project=project,
        run__public_id__in={run for rule in rules for run in rule.runs},
        candidate__question__in=question_ids,
        accepted__isnull=False,
        flags="",
    ).order_by("pk")
    fields = ("candidate_id", "pk", "run__public_id", "accepted", "score")
    for candidate_id, pk, run, accepted, score in rows.values_list(*fields):
        said[candidate_id][run] = SaidVerdict(pk, run, bool(accepted), score)
    return said
