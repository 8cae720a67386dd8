"""Read how raters agree with each other, as if each were a judge."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
from django.db.models import Q, QuerySet

from analysis.classification import UNSCORED, Confusion, count_codes
from annotation.adjudication.rules import letters_of
from annotation.assignments.models import IS_VOTE, Assignment, Purpose
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from common.columns import last_change
from common.memory import Memory
from judges.comparison.rules import Column, Kind, Unit
from judges.comparison.rules.study.arrays import Integers
from judges.methods.another_human import AnotherHuman, AnotherHumanOptions, Comparison, HumanVote
from judges.registry import display_name, make_signature

KEY = "another_human"
POOLED = ""
IS_SECOND = Q(purpose=Purpose.SECOND)
# All raters together.
POOLED_KEY = KEY

_rows: Memory[list["HumanRow"]] = Memory(size=8)


class HumanRow(NamedTuple):
    """Raters as a judge; a value a vote: the answer's id, and its cell (`analysis.classification`)."""

    column: Column
    answers: Integers
    codes: Integers

    @property
    def confusion(self) -> Confusion:
        """The votes counted."""
        return count_codes(self.codes)


def read_human_rows(*, project: Project) -> list[HumanRow]:
    """Return all raters together, then each under a letter of their own; nothing where none has a match.

    Unscored are votes with no other vote to be compared with, unless that is still to come. A study with
    one rater an answer has comparisons only where an answer was judged a second time.
    """
    if project.protocol is None:
        return []
    judgments = Judgment.objects.filter(IS_VOTE | IS_SECOND, candidate__project=project)
    improper = improper_questions(project)
    state = (
        project.protocol.content_hash,
        last_change(judgments),
        last_change(JudgmentRevision.objects.filter(judgment__in=judgments)),
        last_change(_open_answers(project), "pk"),
        last_change(Question.objects.filter(project=project, in_sample=True), "pk"),
        improper,
    )
    return _rows.get(project.pk, state=state, make=lambda: _read_human_rows(project, improper))


def _read_human_rows(project: Project, improper: frozenset[int]) -> list[HumanRow]:
    protocol = project.protocol.rules if project.protocol else None
    if protocol is None:
        return []
    has_second_pass = protocol.raters_per_answer == 1
    votes = _votes(project, protocol.accepted_keys, improper, has_second_pass=has_second_pass)
    compared = [
        (answer, each.rater, _code(each))
        for answer, each in _comparisons(votes, waiting=_waiting(project))
        if not (has_second_pass and each.reference is None)
    ]
    answers, raters, codes = np.array(compared, dtype=np.int64).reshape(-1, 3).T
    letters = letters_of(rater_ids=np.unique(raters).tolist(), salt=f"raters of {project.slug}")
    rows = [HumanRow(_column(POOLED), answers, codes)]
    for rater, letter in sorted(letters.items(), key=_by_letter):
        own = raters == rater
        rows.append(HumanRow(_column(letter), answers[own], codes[own]))
    return [row for row in rows if row.confusion.scored]


def _code(each: Comparison) -> int:
    return UNSCORED if each.reference is None else each.reference * 2 + each.accepted


def _by_letter(item: tuple[int, str]) -> tuple[int, str]:
    return len(item[1]), item[1]


def _votes(
    project: Project, accepted: frozenset[str], improper: frozenset[int], *, has_second_pass: bool
) -> Iterator[tuple[int, HumanVote]]:
    """Yield the first-round votes with their answer, what a second pass said, and in a study with one rater
    an answer later votes, too: there they are such a pass.
    """
    wanted = Q(state=Judgment.State.COUNTED, round=Assignment.Round.FIRST)
    if has_second_pass:
        wanted = Q(state=Judgment.State.COUNTED) | Q(state=Judgment.State.SURPLUS)
    rows = (
        Judgment.objects.filter(
            IS_VOTE & wanted | IS_SECOND & Q(state=Judgment.State.SURPLUS),
            candidate__project=project,
            candidate__question__in_sample=True,
            candidate__is_judgeable=True,
        )
        .exclude(candidate__question__in=improper)
        .order_by("candidate_id", "slot", "pk")
        .values_list("candidate_id", "rater_id", "slot", "label", "state")
    )
    for candidate, rater, slot, label, state in rows.iterator():
        yield candidate, HumanVote(rater, slot, label in accepted, state == Judgment.State.SURPLUS)


def _open_answers(project: Project) -> QuerySet[Candidate]:
    return project.candidates.filter(state=Candidate.State.OPEN)


def _waiting(project: Project) -> frozenset[int]:
    return frozenset(_open_answers(project).values_list("pk", flat=True))


def _comparisons(
    votes: Iterable[tuple[int, HumanVote]], *, waiting: frozenset[int]
) -> Iterator[tuple[int, Comparison]]:
    judge = AnotherHuman(AnotherHumanOptions())
    for candidate, group in groupby(votes, key=lambda row: row[0]):
        heard = [vote for _, vote in group]
        if len(heard) > 1 or candidate not in waiting:
            yield from ((candidate, comparison) for comparison in judge.compare(heard))


def _column(letter: str) -> Column:
    context = {"rater": letter} if letter else {}
    return Column(
        key=f"{KEY}:{letter}" if letter else KEY,
        name=f"{display_name(KEY)}, rater {letter}" if letter else display_name(KEY),
        kind=Kind.HUMAN,
        gold=None,
        signature=make_signature(KEY, AnotherHumanOptions(), **context),
        unit=Unit.ACCURACY,
    )
