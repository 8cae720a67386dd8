"""Read all answers with everything that people and judges say of them, as the lines of a file."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import flags_of
from annotation.gold.selectors.ledger import gold_lists
from annotation.items.models import Candidate, Passage, Prediction, RetrievedPassage
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.rules import csv_lines, json_line
from annotation.release.selectors import rows
from common.database.rows import batched
from judges.answers.selectors.columns import read_judges
from judges.comparison.rules.study import Column, name_columns
from judges.runs.models import Verdict


class Named(NamedTuple):
    """A run, and the name that its columns have in a file."""

    id: int
    column: Column


def answer_json_lines(
    *, project: Project, limit: int | None, chosen: Sequence[int] | None = None
) -> Iterator[str]:
    """Yield an answer a line, as one object.

    limit: so many answers. chosen: only these, by key, in their order; one that is gone is left out.
    """
    runs = _runs(project)
    for row in _rows(project, runs, limit=limit, chosen=chosen):
        yield json_line(row)


def answer_csv_lines(
    *, project: Project, limit: int | None, chosen: Sequence[int] | None = None
) -> Iterator[str]:
    """Yield the header, then an answer a row; lists stand in their cells as JSON."""
    runs = _runs(project)
    return csv_lines(_cells(runs, _rows(project, runs, limit=limit, chosen=chosen)))


def _cells(runs: Sequence[Named], rows: Iterable[Mapping[str, Any]]) -> Iterator[list[str]]:
    said = ("accepted", "score", "unscored_reason", "reply")
    yield [*_FIELDS, *(f"{run.column.key}:{name}" for run in runs for name in said)]
    for row in rows:
        verdicts = row["verdicts"]
        of_runs = [verdicts.get(run.column.key, {}).get(name) for run in runs for name in said]
        yield [_cell(value) for value in (*(row[name] for name in _FIELDS), *of_runs)]


_FIELDS = (
    "item_id",
    "question_id",
    "question",
    "dataset",
    "tags",
    "flags",
    "checks",
    "gold",
    "amended_gold",
    "answer",
    "systems",
    "passages",
    "retrieved",
    "votes",
    "label",
    "source",
    "category",
    "reason",
)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _runs(project: Project) -> list[Named]:
    runs = read_judges(project)
    columns = name_columns(runs)
    return [Named(run.id, columns[run.id]) for run in runs]


def _rows(
    project: Project, runs: Sequence[Named], *, limit: int | None, chosen: Sequence[int] | None
) -> Iterator[dict[str, Any]]:
    chunks = _all_answers(project, limit=limit) if chosen is None else _chosen_answers(project, chosen)
    for chunk in chunks:
        yield from _described(project, chunk, runs)


def _all_answers(project: Project, *, limit: int | None) -> Iterator[list[Candidate]]:
    answers = (
        Candidate.objects.filter(project=project)
        .select_related("question")
        .order_by("question__position", "question_id", "position", "pk")[:limit]
    )
    # Few are read together: a preview asks as much for three as for one.
    at_once = rows.ROWS_AT_ONCE if limit is None else max(limit, 1)
    return batched(answers.iterator(chunk_size=at_once), at_once)


def _chosen_answers(project: Project, chosen: Sequence[int]) -> Iterator[list[Candidate]]:
    of_project = Candidate.objects.filter(project=project).select_related("question")
    for ids in batched(iter(chosen), rows.ROWS_AT_ONCE):
        found = of_project.in_bulk(ids)
        yield [found[each] for each in ids if each in found]


def _described(
    project: Project, answers: Sequence[Candidate], runs: Sequence[Named]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of some answers; as many queries however many they are."""
    ids, questions = [each.pk for each in answers], {each.question_id for each in answers}
    gold = gold_lists(project, amended=False, question_ids=sorted(questions))
    amended = gold_lists(project, amended=True, question_ids=sorted(questions))
    flags, checks = flags_of(questions), rows.checks_of(questions)
    decisions = {row.candidate_id: row for row in Decision.objects.in_force().filter(candidate__in=ids)}
    systems, votes, verdicts = _systems_of(ids), _votes_of(ids), _verdicts_of(ids, runs)
    passages, retrieved = _passages_of(sorted(questions)), _retrieved_for(ids)
    for answer in answers:
        question, decision = answer.question, decisions.get(answer.pk)
        yield {
            "item_id": answer.public_id,
            "question_id": rows.question_name(question.external_id, question.position),
            "question": question.text,
            "dataset": question.dataset,
            "tags": list(question.tags),
            "flags": sorted({flag.kind for flag in flags[answer.question_id]}),
            "checks": [check._asdict() for check in checks[answer.question_id]],
            "gold": list(gold[answer.question_id]),
            "amended_gold": list(amended[answer.question_id]),
            "answer": answer.text,
            "systems": systems[answer.pk],
            "passages": passages[answer.question_id],
            "retrieved": retrieved[answer.pk],
            "votes": votes[answer.pk],
            "label": decision.label if decision else "",
            "source": decision.source if decision else "",
            "category": decision.category if decision else "",
            "reason": decision.reason if decision else "",
            "verdicts": verdicts[answer.pk],
        }


def _systems_of(ids: Sequence[int]) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    given = Prediction.objects.filter(candidate__in=ids).order_by("system_id", "pk")
    for answer, name in given.values_list("candidate_id", "system__name"):
        found[answer].append(name)
    return found


def _passages_of(questions: Sequence[int]) -> Mapping[int, list[str]]:
    """Return the hashes of the passages that are given with questions."""
    found: dict[int, list[str]] = defaultdict(list)
    given = Passage.objects.filter(question__in=questions, is_given=True).order_by("position", "pk")
    for question, text_hash in given.values_list("question_id", "text_hash"):
        found[question].append(text_hash)
    return found


def _retrieved_for(ids: Sequence[int]) -> Mapping[int, dict[str, list[str]]]:
    """Return by answer and system the hashes of the passages that the system retrieved, by rank."""
    found: dict[int, dict[str, list[str]]] = defaultdict(dict)
    links = RetrievedPassage.objects.filter(prediction__candidate__in=ids)
    named = ("prediction__candidate_id", "prediction__system__name", "passage__text_hash")
    for answer, system, text_hash in links.order_by("prediction__system_id", "rank", "pk").values_list(
        *named
    ):
        found[answer].setdefault(system, []).append(text_hash)
    return found


def _votes_of(ids: Sequence[int]) -> Mapping[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    cast = Judgment.objects.votes().filter(candidate__in=ids).exclude(state=Judgment.State.WITHDRAWN)
    fields = ("candidate_id", "rater__pseudonym", "label", "round", "state")
    for answer, rater, label, turn, state in cast.order_by("pk").values_list(*fields):
        found[answer].append({"rater": rater, "label": label, "round": turn, "state": state})
    return found


def _verdicts_of(ids: Sequence[int], runs: Sequence[Named]) -> Mapping[int, dict[str, dict[str, Any]]]:
    """Return what runs say of each answer, by the keys of their columns in the order of the runs."""
    found: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
    said = Verdict.objects.filter(candidate__in=ids, run__in=[run.id for run in runs])
    fields = ("candidate_id", "run_id", "accepted", "score", "unscored_reason", "raw_reply")
    for answer, run, accepted, score, reason, reply in said.values_list(*fields):
        found[answer][run] = {
            "accepted": accepted,
            "score": score,
            "unscored_reason": reason,
            "reply": reply,
        }
    return {
        answer: {run.column.key: found[answer][run.id] for run in runs if run.id in found[answer]}
        for answer in ids
    }
