"""Find answers and describe them for the list."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from django.db.models import Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.selectors import Vote, shown_states, votes_of, waiting_answers
from annotation.agreement.rules import Dimension
from annotation.agreement.selectors import Way, find_disputed, items_in_part
from annotation.assignments.models import QuestionFlag
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, GoldAnswer, Prediction, Question, QuestionCorrection
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.database.columns import read_integers
from judges.comparison.selectors.failures import Wanted, answers_behind
from judges.comparison.selectors.judge_board.pairs import find_errors, find_judged_answers


class AnswerLine(NamedTuple):
    """An answer in the list; `state`: its own, or that it waits for the lead, as the queue counts it."""

    candidate: Candidate
    state: str
    label: str | None
    source: str | None
    systems: list[str] | None
    votes: list[Vote]


class Found(NamedTuple):
    """Which answers were asked for, by key in their order, and to how many questions they are."""

    ids: list[int]
    questions: int


DISAGREEMENT = "disagreement"
CONDITIONS: Mapping[str, Q] = {
    "waiting": Q(state=Candidate.State.OPEN, taken=0),
    "judging": Q(state=Candidate.State.OPEN, taken__gt=0),
    "open": Q(state=Candidate.State.OPEN),
    "decided": Q(state=Candidate.State.DECIDED),
    "unasked": Q(state=Candidate.State.UNASKED),
    "flagged": Q(question__in=QuestionFlag.objects.values("question")),
}
# Whatever waits for the lead, as the queue counts it: raters differ, or none is left who could judge.
FOR_LEAD = "disputed"
AT_RATERS = ("waiting", "judging")
DEFAULT_WAY = Way()
STATES = (*CONDITIONS, FOR_LEAD, DISAGREEMENT)


def find_answers(
    *,
    project: Project,
    search: str = "",
    state: str = "",
    way: Way = DEFAULT_WAY,
    raters: Sequence[str] = (),
    errors_of: str = "",
    accepted_by: str = "",
    rejected_by: str = "",
    unscored_by: str = "",
    by: str = "",
    part: str = "",
    question: str = "",
    cell: tuple[Wanted, str, str] | None = None,
) -> QuerySet[Candidate]:
    """Return the project's answers, judged questions first.

    search: words of the question, its former texts or its own id, a gold answer, the answer as pooled or as
    a system gave it, a comment, evidence, a flag's note, or a decision's reason. state: one of `STATES`.
    way: how votes are read where raters differ; of a check these are the questions' answers. raters: two of
    them, by pseudonym; only where these differ.
    errors_of: a run, by its public id; only answers on which the judge board counts an error of it.
    accepted_by, rejected_by, unscored_by: a run, by its public id, or `people`; only answers that the judge
    board counts. by, part: a way of cutting the study that agreement knows, and one of its parts.
    question: by its public id. cell: a failure board, and the keys of a row and a column; an empty row is
    the column's rate.
    """
    answers = Candidate.objects.filter(project=project)
    if search:
        answers = answers.filter(_mentions(search, project))
    if state:
        answers = answers.filter(_condition(state, project, way=way, raters=raters))
    if errors_of:
        answers = answers.filter(pk__in=find_errors(project=project, run=errors_of))
    if accepted_by or rejected_by or unscored_by:
        ids = find_judged_answers(
            project=project, accepted_by=accepted_by, rejected_by=rejected_by, unscored_by=unscored_by
        )
        answers = answers.filter(pk__in=ids)
    if by and part:
        items = items_in_part(project=project, by=Dimension(by), name=part, check=way.check)
        answers = answers.filter(Q(question__in=items) if way.check else Q(pk__in=items))
    if question:
        answers = answers.filter(question__public_id=question)
    if cell:
        wanted, row, column = cell
        behind = answers_behind(project=project, wanted=wanted, row=row, column=column)
        answers = answers.filter(pk__in=behind)
    return answers.order_by("-question__in_sample", "question__position", "question_id", "position", "pk")


def read_found(answers: QuerySet[Candidate]) -> Found:
    """Return which answers these are, in their order; one query, for a search may look through all texts."""
    ids, questions = read_integers(answers, "pk", "question_id").T
    return Found(ids.tolist(), len(np.unique(questions)))


def _mentions(words: str, project: Project) -> Q:
    """Return where words stand in anything that is written about an answer or its question.

    Rows are found by way of the few systems and raters: answers are many more, and would all be looked up.
    """
    of_question = {"question__project": project}
    said = Q(comment__icontains=words) | Q(evidence_quote__icontains=words) | Q(evidence_url__icontains=words)
    # Most votes say nothing, which is seen at once; a search in three texts of each is not.
    silent = Q(comment="", evidence_quote="", evidence_url="")
    asked = Question.objects.filter(Q(text__icontains=words) | Q(external_id=words), project=project)
    beside_questions = (
        GoldAnswer.objects.filter(text__icontains=words, **of_question),
        GoldChange.objects.filter(text__icontains=words, **of_question),
        QuestionCorrection.objects.filter(former_text__icontains=words, **of_question),
        QuestionFlag.objects.filter(note__icontains=words, **of_question),
    )
    beside_answers = (
        Prediction.objects.filter(text__icontains=words, system__project=project),
        Judgment.objects.votes().filter(~silent, said, rater__project=project),
        Decision.objects.filter(reason__icontains=words, candidate__project=project),
    )
    mentions = Q(text__icontains=words) | Q(question__in=asked.values("pk"))
    for found in beside_questions:
        mentions |= Q(question__in=found.values("question"))
    for rows in beside_answers:
        mentions |= Q(pk__in=rows.values("candidate"))
    return mentions


def _condition(state: str, project: Project, *, way: Way, raters: Sequence[str]) -> Q:
    """Return what a state means; in a disagreement the first raters gave different labels."""
    if state == DISAGREEMENT:
        disputed = find_disputed(project=project, way=way, pair=raters)
        return Q(question__in=disputed) if way.check else Q(pk__in=disputed)
    for_lead = Q(pk__in=waiting_answers(project).values("pk"))
    if state == FOR_LEAD:
        return for_lead
    return CONDITIONS[state] & ~for_lead if state in AT_RATERS else CONDITIONS[state]


def describe_answers(ids: Sequence[int], *, with_systems: bool = True) -> list[AnswerLine]:
    """Return the lines of a page of answers, in a fixed number of queries; one removed since is left out.

    Without systems these are None: not shown, which is not the same as none.
    """
    found = Candidate.objects.select_related("question", "project__protocol").in_bulk(list(ids))
    candidates = [found[answer] for answer in ids if answer in found]
    decisions = {
        row.candidate_id: row for row in Decision.objects.in_force().filter(candidate__in=candidates)
    }
    votes = votes_of(candidates)
    systems = _systems_of(candidates) if with_systems else None
    states = shown_states(candidates)
    return [
        AnswerLine(
            candidate=candidate,
            state=states[candidate.pk],
            label=decisions[candidate.pk].label if candidate.pk in decisions else None,
            source=decisions[candidate.pk].source if candidate.pk in decisions else None,
            systems=None if systems is None else systems[candidate.pk],
            votes=votes[candidate.pk],
        )
        for candidate in candidates
    ]


def _systems_of(candidates: list[Candidate]) -> Mapping[int, list[str]]:
    systems: dict[int, list[str]] = defaultdict(list)
    rows = Prediction.objects.filter(candidate__in=[candidate.pk for candidate in candidates])
    for candidate, label in rows.order_by("system_id").values_list("candidate_id", "system__label"):
        systems[candidate].append(label)
    return systems
