"""Read what judges are compared on: what people decided, what runs said of it, and raters' votes."""

from functools import cache
from typing import NamedTuple

import numpy as np
from django.db.models import Q

from analysis.arrays import Flags, Floats, Integers
from analysis.classification import UNSCORED, Confusion, count_codes
from annotation.adjudication.rules import letters_of
from annotation.agreement.selectors.votes import read_pseudonyms
from annotation.assignments.models import IS_VOTE, Assignment, Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.database.rows import read_integers
from common.errors import NotFound
from judges.comparison.rules.judge_board.beside_people import Beside, compare
from judges.comparison.rules.study import (
    ACCEPTED,
    NO_VERDICT,
    UNDECIDED,
    Column,
    Items,
    Kind,
    RunFacts,
    Said,
    Unit,
    name_columns,
)
from judges.comparison.rules.weights import (
    Reach,
    answers_compared,
    answers_decided_by_people,
    count_left_out,
    count_undecided,
    reach_of,
    weigh_compared,
    weigh_questions,
)
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.comparison.selectors.study import (
    as_flag,
    read_decided,
    read_improper,
    read_items,
    read_said,
    sign_comparison,
)
from judges.methods.another_human import AnotherHuman, AnotherHumanOptions, HumanVote
from judges.registry import display_name, make_signature

# All raters together, as if they were a judge.
POOLED_KEY = "another_human"
IS_SECOND = Q(purpose=Purpose.SECOND)


class RunNotComparable(NotFound):
    """The project has no such run of a judge."""

    code = "run_not_found"


class Judged(NamedTuple):
    """A study's answers, by candidate: what people say, whether it counts, and what each run said.

    truth: people accept, of an answer they decided. shared: answers of the judged sample, decided or not, on
    which judges are compared with each other. said, columns: by run id. weights: how many answers one that
    counts stands for, which differ where programs settled answers, or questions were drawn with different
    probabilities; of_question: by the draw of questions alone. is_ruled: a rule of pre-judging spoke for it.
    left_out: how many that programs settled none of those that count stands for. undecided: how many people
    have yet to decide while an audit runs, or before it can be read. is_on_common: only answers
    count on which every run that judged any of them has said something.
    """

    items: Items
    truth: Flags
    counted: Flags
    weights: Floats
    of_question: Floats
    shared: Flags
    runs: list[RunFacts]
    columns: dict[int, Column]
    said: dict[int, Said]
    is_ruled: Flags
    left_out: int
    undecided: int
    reach: Reach
    is_on_common: bool = False

    def find(self, public_id: str) -> RunFacts:
        """Return a run by its public id; raises `RunNotComparable`."""
        found = next((run for run in self.runs if run.public_id == public_id), None)
        if found is None:
            raise RunNotComparable("This project has no such run.")
        return found

    @property
    def speakers(self) -> list[RunFacts]:
        """The runs that said something of an answer that counts."""
        return [run for run in self.runs if ((self.said[run.id].verdict != NO_VERDICT) & self.counted).any()]

    def beside(self, run: RunFacts) -> Beside:
        """Compare a run with people; a decided answer without a usable verdict is unscored."""
        verdict = self.said[run.id].verdict
        return compare(truth=self.truth, verdict=verdict, counted=self.counted, weights=self.weights)

    def by_system(self, run: RunFacts) -> list[Beside]:
        """Compare a run with people on what each system gave, in their order; a row a prediction."""
        given, systems = self.items.predictions.candidate, self.items.predictions.system
        truth, counted, weights = self.truth[given], self.counted[given], self.weights[given]
        verdict = self.said[run.id].verdict[given]
        return [
            compare(truth=truth, verdict=verdict, counted=counted & (systems == place), weights=weights)
            for place in range(len(self.items.systems))
        ]

    @property
    def weights_of_votes(self) -> Floats:
        """How many answers each one stands for where raters are compared with each other, decided or not."""
        return np.where(self.is_ruled, self.weights, self.of_question)

    @property
    def is_weighed(self) -> bool:
        """Whether some answers stand for others."""
        return bool((self.weights[self.counted] != 1.0).any())

    @property
    def is_audited(self) -> bool:
        """Whether answers of the audit stand for those that programs settled."""
        return bool((self.weights != self.of_question)[self.counted & self.is_ruled].any())

    @property
    def weighing(self) -> str | None:
        """How answers are weighed, as signatures say it."""
        return "1/probability" if self.is_weighed else None


def sign_beside_people(
    project: Project,
    own: str,
    *,
    judged: Judged,
    by: str | None = None,
    difference_from: str | None = None,
    ledger: str | None = None,
) -> str:
    """Return what produced the figures of a judge beside people, after the line of its own.

    by: in which parts. difference_from: the run, by its hash, that another column compares it with. ledger:
    as in a line of a comparison.
    """
    common = judged.speakers if judged.is_on_common else []
    return sign_comparison(
        project,
        own,
        beside="people",
        answers="decided and judged by all" if common else "decided",
        weights=judged.weighing,
        by=by,
        difference_from=difference_from,
        judges=[run.signature for run in common],
        ledger=ledger,
    )


@kept()
def read_judged(project: Project, on_common: bool = False) -> Judged:
    """Return what is there now; on_common: only answers that every judge has judged count."""
    if on_common:
        judged = read_judged(project)
        counted = judged.counted.copy()
        for run in judged.speakers:
            counted &= judged.said[run.id].verdict != NO_VERDICT
        return judged._replace(counted=counted, is_on_common=True)
    items, runs = read_items(project), read_runs(project)
    decided, improper = read_decided(project), read_improper(project)
    of_question = weigh_questions(items.questions)[items.candidates.question]
    return Judged(
        items=items,
        truth=decided.worth == ACCEPTED,
        counted=answers_decided_by_people(items, decided=decided, improper=improper),
        weights=weigh_compared(items, decided=decided, improper=improper, of_question=of_question),
        of_question=of_question,
        shared=answers_compared(items, improper=improper),
        runs=runs,
        columns=name_columns(runs),
        said=read_said(project, [run.id for run in runs]),
        is_ruled=decided.ruled != UNDECIDED,
        left_out=count_left_out(items, decided=decided, improper=improper),
        undecided=count_undecided(items, decided=decided, improper=improper),
        reach=reach_of(items.questions),
    )


class HumanRow(NamedTuple):
    """Raters as a judge; a value a vote: the answer's id, and its cell (`analysis.classification`).

    weights: how many answers the answer stands for, of a row of the board; 1 as read.
    """

    column: Column
    answers: Integers
    codes: Integers
    weights: Floats

    def among(self, kept: Flags, *, weights: Floats) -> "HumanRow":
        """Return the same over some votes only, with the weights of all."""
        return self._replace(answers=self.answers[kept], codes=self.codes[kept], weights=weights[kept])

    @property
    def confusion(self) -> Confusion:
        """The votes counted."""
        return count_codes(self.codes)

    @property
    def weighed(self) -> Confusion:
        """What the votes stand for."""
        return count_codes(self.codes, weights=self.weights)


class RatersVotes(NamedTuple):
    """What raters said of the judged sample.

    votes: votes × (answer, rater, slot, accepted, second pass), by answer and slot. compared: comparisons ×
    (answer, rater, code). letters: by rater, which order those with comparisons and stand in keys, names,
    signatures and reports. pseudonyms: of the same raters, as pages name them.
    """

    votes: Integers
    compared: Integers
    letters: dict[int, str]
    pseudonyms: dict[int, str]

    @property
    def in_order(self) -> list[int]:
        """The raters with comparisons, by letter."""
        return sorted(self.letters, key=lambda rater: (len(self.letters[rater]), self.letters[rater]))


@kept()
def read_votes(project: Project) -> RatersVotes:
    """Return the votes that raters are compared with each other by; none before there is a protocol."""
    protocol = project.protocol.rules if project.protocol else None
    if protocol is None:
        return RatersVotes(np.zeros((0, 5), dtype=np.int64), np.zeros((0, 3), dtype=np.int64), {}, {})
    has_second_pass = protocol.raters_per_answer == 1
    votes = _votes(
        project, protocol.accepted_keys, improper_questions(project), has_second_pass=has_second_pass
    )
    waiting = project.candidates.filter(state=Candidate.State.OPEN).values_list("pk", flat=True)
    compared = _compare(votes, waiting=frozenset(waiting))
    if has_second_pass:
        compared = compared[compared[:, 2] != UNSCORED]
    raters = np.unique(compared[:, 1]).tolist()
    # By their places, not their keys: in a copy of the study everybody has the same letter.
    places = letters_of(rater_ids=range(len(raters)), salt=f"raters of {project.slug}")
    letters = {rater: places[place] for place, rater in enumerate(raters)}
    return RatersVotes(votes, compared, letters, dict(zip(raters, read_pseudonyms(raters), strict=True)))


@kept()
def read_human_rows(*, project: Project) -> list[HumanRow]:
    """Return all raters together, then each under a letter of their own; nothing where none has a match.

    Unscored are votes with no other vote to be compared with, unless that is still to come. A study with
    one rater an answer has comparisons only where an answer was judged a second time.
    """
    said = read_votes(project)
    answers, raters, codes = said.compared.T
    weights = np.ones(len(codes))
    rows = [HumanRow(name_raters(), answers, codes, weights)]
    for rater in said.in_order:
        own, column = raters == rater, name_raters(said.letters[rater])
        rows.append(HumanRow(column, answers[own], codes[own], weights[own]))
    return [row for row in rows if row.confusion.scored]


def _votes(
    project: Project, accepted: frozenset[str], improper: frozenset[int], *, has_second_pass: bool
) -> Integers:
    """Return votes × (answer, rater, slot, accepted, second pass), by answer and slot.

    They are the first-round votes and what a second pass said; in a study with one rater an answer later
    votes, too: there they are such a pass.
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
        .annotate(accepted=as_flag(Q(label__in=accepted)), is_second=as_flag(Q(state=Judgment.State.SURPLUS)))
        .order_by("candidate_id", "slot", "pk")
    )
    return read_integers(rows, "candidate_id", "rater_id", "slot", "accepted", "is_second")


def _compare(votes: Integers, *, waiting: frozenset[int]) -> Integers:
    """Return comparisons × (answer, rater, code); a lone vote of an answer that waits for more is none."""
    if not len(votes):
        return np.zeros((0, 3), dtype=np.int64)
    judge = AnotherHuman(AnotherHumanOptions())

    # Once for all answers of which the same was said: a hundred thousand of three raters hold few kinds.
    @cache
    def compare(*heard: tuple[int, int, int, int]) -> list[tuple[int, int]]:
        said = [
            HumanVote(rater, slot, bool(accepted), bool(second)) for rater, slot, accepted, second in heard
        ]
        return [
            (rater, UNSCORED if reference is None else reference * 2 + accepted)
            for rater, accepted, reference in judge.compare(said)
        ]

    answers, starts = np.unique(votes[:, 0], return_index=True)
    said = list(zip(*votes[:, 1:].T.tolist(), strict=True))
    found: list[tuple[int, int, int]] = []
    for answer, start, end in zip(answers.tolist(), starts, [*starts[1:], len(votes)], strict=True):
        if end - start > 1 or answer not in waiting:
            found += [(answer, *each) for each in compare(*said[start:end])]
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def name_raters(letter: str = "") -> Column:
    """Return the column of one rater, by letter, or of all together (no letter)."""
    context = {"rater": letter} if letter else {}
    return Column(
        key=f"{POOLED_KEY}:{letter}" if letter else POOLED_KEY,
        name=f"Annotator {letter}" if letter else display_name(POOLED_KEY),
        kind=Kind.HUMAN,
        gold=None,
        signature=make_signature(POOLED_KEY, AnotherHumanOptions(), **context),
        unit=Unit.ACCURACY,
    )


def read_board_raters(*, project: Project, judged: Judged) -> list[HumanRow]:
    """Return raters as judges, over the answers that count where only common ones do.

    A vote weighs what its answer stands for; one on an answer that stands for nothing is left out.
    """
    candidates, weights = judged.items.candidates, judged.weights_of_votes
    found = []
    for row in read_human_rows(project=project):
        places = candidates.numbers(row.answers)
        # What was judged between two reads belongs to the next state.
        own = np.where(places >= 0, weights[places], 0.0)
        kept = (own > 0) & (judged.counted[places] | (not judged.is_on_common))
        found.append(row.among(kept, weights=own))
    return [row for row in found if row.confusion.scored]
