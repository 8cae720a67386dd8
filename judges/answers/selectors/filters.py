"""Find the answers that are asked for, in the order that is asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db.models import Q, QuerySet

from analysis.arrays import Flags, Integers
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import waiting_answers
from annotation.agreement.rules.slices import OF_SYSTEMS, Dimension
from annotation.agreement.selectors.reports import Way, find_disputed, items_in_part
from annotation.assignments.models import QuestionFlag
from annotation.gold.models import GoldChange
from annotation.items.models import (
    Candidate,
    GoldAnswer,
    Prediction,
    Question,
    QuestionCorrection,
    System,
)
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.database.rows import read_integers, snapshot
from common.errors import Invalid
from judges.answers.rules import Sort, Verdict, differ, is_rater, only_one_is_right, says
from judges.answers.selectors.columns import (
    SOURCES,
    Answers,
    read_answers,
    read_codes,
    read_compared,
    read_decisions,
    read_given_by,
    read_labelled,
    read_rank,
    read_texts,
)
from judges.comparison.selectors.failures import Wanted as Board
from judges.comparison.selectors.failures import answers_behind
from judges.comparison.selectors.judge_board.pairs import PEOPLE, find_errors, find_judged_answers
from judges.comparison.selectors.study import read_candidates, read_sources

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
STATES = (*CONDITIONS, FOR_LEAD, DISAGREEMENT)
DEFAULT_WAY = Way()


class Says(NamedTuple):
    """What one column says: a run's by its public id, or that of people."""

    column: str
    verdict: Verdict


@dataclass(frozen=True)
class Wanted:
    """Which answers are asked for, all of it at once; what is empty asks nothing.

    search: words of the question, its former texts or its own id, a gold answer, the answer as pooled or as
    a system gave it, a comment, evidence, a flag's note, or a decision's reason. state: one of `STATES`.
    label, source: of the decision in force. given_by: a system, by name. dataset, tag, flag: of the
    question. judged_by: a rater with a vote on it, by pseudonym. said: what columns say. differing: two
    columns that do not say the same, as `read_compared` reads them; annotators' votes are columns, too,
    called by `RATER`. only_right, only_wrong: two systems, by name; what both gave to the questions that only
    the first has right, as the column `according_to` says. min_words, max_words: how many the answer has.

    way: how votes are read where raters differ; of a check these are the questions' answers. raters: two of
    them, by pseudonym; only where these differ. errors_of: a run, by its public id; only answers on which
    the judge board counts an error of it. accepted_by, rejected_by, unscored_by: a run, or `PEOPLE`; only
    answers that the judge board counts. by, part: a way of cutting the study that agreement knows, and one of
    its parts. question: by its public id. cell: a failure board, and the keys of a row and a column; an empty
    row is the column's rate.
    """

    search: str = ""
    state: str = ""
    label: str = ""
    source: str = ""
    given_by: str = ""
    dataset: str = ""
    tag: str = ""
    flag: str = ""
    judged_by: str = ""
    said: Sequence[Says] = ()
    differing: Sequence[str] = ()
    only_right: str = ""
    only_wrong: str = ""
    according_to: str = PEOPLE
    min_words: int | None = None
    max_words: int | None = None
    way: Way = DEFAULT_WAY
    raters: Sequence[str] = ()
    errors_of: str = ""
    accepted_by: str = ""
    rejected_by: str = ""
    unscored_by: str = ""
    by: str = ""
    part: str = ""
    question: str = ""
    cell: tuple[Board, str, str] | None = None

    def is_by_system(self, project: Project) -> bool:
        """Whether the answers asked for are those of certain systems."""
        if self.given_by or self.only_right or self.only_wrong or self.by in OF_SYSTEMS:
            return True
        if not self.cell:
            return False
        board, _, column = self.cell
        return bool(board.system) or System.objects.filter(project=project, name=column).exists()

    @property
    def is_by_rater(self) -> bool:
        """Whether the answers asked for are those of certain raters."""
        # Every field that names a column, so that none goes around it.
        columns = (*self.differing, *(column for column, _ in self.said), self.according_to)
        named = self.raters or self.judged_by or any(map(is_rater, columns))
        return bool(named) or self.by == Dimension.RATER


EVERYTHING = Wanted()


class Found(NamedTuple):
    """The answers of a project, and which of them are asked for.

    rank: the place of every answer in the order asked for. kept: whether it is one of them.
    """

    answers: Answers
    rank: Integers
    kept: Flags

    @property
    def ids(self) -> list[int]:
        """Their keys, in their order."""
        places = np.flatnonzero(self.kept)
        ids: list[int] = self.answers.ids[places[np.argsort(self.rank[places])]].tolist()
        return ids

    @property
    def questions(self) -> int:
        """To how many questions they are."""
        return len(np.unique(self.answers.question[self.kept]))


def find_answers(*, project: Project, wanted: Wanted = EVERYTHING, sort: str = Sort.QUESTION.value) -> Found:
    """Return the answers that are asked for; how many queries that takes depends on the filters alone.

    sort: a `Sort` or the public id of a run, after `-` the other way; the order of the study where it is
    neither. Made of several reads, so to be called in a `snapshot`.
    """
    answers = read_answers(project)
    kept = np.ones(len(answers.ids), dtype=bool)
    for flags in _by_columns(project, wanted):
        kept &= flags
    for ids in _behind_numbers(project, wanted):
        kept &= np.isin(answers.ids, np.fromiter(ids, dtype=np.int64, count=len(ids)))
    conditions = list(_by_rows(project, wanted))
    if conditions:
        kept &= _holding(project, answers, conditions)
    return Found(answers, read_rank(project, sort), kept)


class NoAnswerMatches(Invalid):
    """Nothing is left of what was asked for."""


def find_chosen(*, project: Project, wanted: Wanted, sort: str, public_ids: Sequence[str]) -> list[int]:
    """Return the keys of selected answers, or without any of all that are asked for, in the table's order.

    public_ids: of those selected; what is asked for besides does not matter then. Raises `NoAnswerMatches`.
    """
    with snapshot():
        found = find_answers(project=project, wanted=EVERYTHING if public_ids else wanted, sort=sort)
        if public_ids:
            rows = Candidate.objects.filter(project=project, public_id__in=public_ids).order_by()
            selected = found.answers.numbers(read_integers(rows, "pk")[:, 0])
            found = found._replace(kept=np.isin(np.arange(len(found.kept)), selected))
    if not found.kept.any():
        raise NoAnswerMatches("No answers match anymore. Reload the table.")
    return found.ids


def _by_columns(project: Project, wanted: Wanted) -> Iterator[Flags]:
    """Yield what the arrays that are kept of a project say of every answer, a filter at a time."""
    if wanted.given_by:
        yield read_given_by(project, wanted.given_by).flags(len(read_answers(project).ids))
    if wanted.dataset or wanted.tag:
        _, candidates = read_candidates(project)
        yield _of_questions(project, wanted)[candidates.question]
    for column, verdict in wanted.said:
        yield says(read_codes(project, column), verdict)
    if wanted.differing:
        first, second = wanted.differing
        yield differ(*read_compared(project, first, second))
    if wanted.only_right and wanted.only_wrong:
        yield only_one_is_right(
            read_codes(project, wanted.according_to),
            right=read_given_by(project, wanted.only_right),
            wrong=read_given_by(project, wanted.only_wrong),
        )
    yield from _by_own_facts(project, wanted)


def _by_own_facts(project: Project, wanted: Wanted) -> Iterator[Flags]:
    """Yield of which answers the decision, and how long they are, is as asked for."""
    if wanted.label:
        yield read_labelled(project, wanted.label)
    if wanted.source:
        yield read_decisions(project).source == SOURCES.index(wanted.source)
    if wanted.min_words is not None:
        yield read_texts(project).words >= wanted.min_words
    if wanted.max_words is not None:
        yield read_texts(project).words <= wanted.max_words


def _behind_numbers(project: Project, wanted: Wanted) -> Iterator[Sequence[int]]:
    """Yield the keys of the answers behind a number of a board."""
    if wanted.errors_of:
        yield find_errors(project=project, run=wanted.errors_of)
    if wanted.accepted_by or wanted.rejected_by or wanted.unscored_by:
        yield find_judged_answers(
            project=project,
            accepted_by=wanted.accepted_by,
            rejected_by=wanted.rejected_by,
            unscored_by=wanted.unscored_by,
        )
    if wanted.by and wanted.part and not wanted.way.check:
        yield list(items_in_part(project=project, by=Dimension(wanted.by), name=wanted.part))
    if wanted.cell:
        board, row, column = wanted.cell
        yield list(answers_behind(project=project, wanted=board, row=row, column=column))


def _of_questions(project: Project, wanted: Wanted) -> Flags:
    """Say which questions are of a data set, and have a tag."""
    sources = read_sources(project)
    pairs = zip(sources.datasets, sources.tags, strict=True)
    return np.array(
        [
            (not wanted.dataset or dataset == wanted.dataset) and (not wanted.tag or wanted.tag in tags)
            for dataset, tags in pairs
        ],
        dtype=bool,
    )


def _holding(project: Project, answers: Answers, conditions: Sequence[Q]) -> Flags:
    """Say of which answers the rows of the database meet all conditions; one query."""
    rows: QuerySet[Candidate] = Candidate.objects.filter(project=project).order_by()
    for condition in conditions:
        rows = rows.filter(condition)
    flags = np.zeros(len(answers.ids), dtype=bool)
    flags[answers.numbers(read_integers(rows, "pk")[:, 0])] = True
    return flags


def _by_rows(project: Project, wanted: Wanted) -> Iterator[Q]:
    """Yield the conditions that the database is asked about: what changes with every vote, and texts."""
    if wanted.search:
        yield _mentions(wanted.search, project)
    if wanted.state:
        yield _condition(wanted.state, project, way=wanted.way, raters=wanted.raters)
    if wanted.flag:
        flagged = QuestionFlag.objects.filter(question__project=project, kind=wanted.flag)
        yield Q(question__in=flagged.values("question"))
    if wanted.judged_by:
        votes = Judgment.objects.votes().filter(rater__project=project, rater__pseudonym=wanted.judged_by)
        yield Q(pk__in=votes.exclude(state=Judgment.State.WITHDRAWN).values("candidate"))
    if wanted.question:
        yield Q(question__public_id=wanted.question)
    if wanted.by and wanted.part and wanted.way.check:
        asked = items_in_part(
            project=project, by=Dimension(wanted.by), name=wanted.part, check=wanted.way.check
        )
        yield Q(question__in=asked)


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
