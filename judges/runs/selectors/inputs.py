"""Read what a judge gets of each answer."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from annotation.gold.selectors import ORIGINAL_VERSION, gold_lists
from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.projects.models import Project
from judges.protocol import JudgeInput
from judges.runs.models import JudgeRun
from judges.runs.ports import tagged_verdicts
from judges.runs.selectors.juries import MemberVerdicts, is_jury, member_verdicts
from judges.runs.selectors.work import AS_RECORDED


class _Golds(NamedTuple):
    strings: tuple[str, ...]
    patterns: tuple[str, ...]


_NOTHING_SAID = MemberVerdicts(accepted=(), flags=())


def judge_inputs(run: JudgeRun, candidate_ids: Iterable[int]) -> dict[int, JudgeInput]:
    """Return what the judge gets of each answer that still exists, by the answer's id, question by question.

    Three reads by primary key or question: joined, or narrowed to the project, they would go through whole
    tables wherever the database has no statistics yet, as it has none just after an import.
    """
    answers = Candidate.objects.filter(pk__in=list(candidate_ids))
    rows = list(answers.values_list("question_id", "pk", "text", "project_id").order_by())
    question_ids = {row[0] for row in rows}
    asked = Question.objects.filter(pk__in=question_ids).values_list("pk", "position", "text")
    questions = {pk: (position, text) for pk, position, text in asked}
    golds = _golds(run, question_ids)
    said = _said_before(run, [row[1] for row in rows])
    rows.sort(key=lambda row: (questions[row[0]][0], row[0], row[1]))
    return {
        pk: JudgeInput(questions[question_id][1], text, *golds[question_id], *said.get(pk, _NOTHING_SAID))
        for question_id, pk, text, project_id in rows
        if project_id == run.project_id
    }


def _said_before(run: JudgeRun, candidate_ids: Sequence[int]) -> Mapping[int, MemberVerdicts]:
    """Return what other judges said, for programs that read it."""
    if is_jury(run):
        return member_verdicts(run, candidate_ids)
    if run.purpose != JudgeRun.Purpose.TAGS:
        return {}
    tagged = tagged_verdicts(run_id=run.pk, candidate_ids=candidate_ids)
    return {pk: MemberVerdicts(accepted=(accepted,), flags=()) for pk, accepted in tagged.items()}


def _golds(run: JudgeRun, question_ids: set[int]) -> dict[int, _Golds]:
    """Return the gold answers of each question, made once for all its answers."""
    texts: dict[int, list[str]] = {question_id: [] for question_id in question_ids}
    patterns: dict[int, set[str]] = defaultdict(set)
    rows = GoldAnswer.objects.filter(question__in=question_ids).order_by("question_id", "position", "pk")
    for question_id, text, kind in rows.values_list("question_id", "text", "kind"):
        texts[question_id].append(text)
        if kind == GoldAnswer.Kind.REGEX:
            patterns[question_id].add(text)
    lists: Mapping[int, Sequence[str]] = texts
    # Recorded verdicts were given before anything was amended here.
    if run.gold_version not in {ORIGINAL_VERSION, AS_RECORDED}:
        lists = gold_lists(run.project, True, question_ids=question_ids)
    return {question_id: _parted(lists[question_id], patterns[question_id]) for question_id in question_ids}


def _parted(golds: Sequence[str], patterns: set[str]) -> _Golds:
    return _Golds(
        strings=tuple(text for text in golds if text not in patterns),
        patterns=tuple(text for text in golds if text in patterns),
    )


def read_corpus(project: Project, *, is_amended: bool) -> tuple[str, ...]:
    """Return the gold answers of all questions of the project, patterns left out, in one order."""
    lists = gold_lists(project, is_amended)
    patterns = _patterns(set(lists))
    return tuple(
        sorted(text for question_id, golds in lists.items() for text in set(golds) - patterns[question_id])
    )


def has_patterns(project: Project) -> bool:
    """Say whether any gold answer of the project is a regular expression."""
    return GoldAnswer.objects.filter(question__project=project, kind=GoldAnswer.Kind.REGEX).exists()


def _patterns(question_ids: set[int]) -> dict[int, set[str]]:
    patterns: dict[int, set[str]] = defaultdict(set)
    rows = GoldAnswer.objects.filter(question__in=question_ids, kind=GoldAnswer.Kind.REGEX)
    for question_id, text in rows.values_list("question_id", "text"):
        patterns[question_id].add(text)
    return patterns
