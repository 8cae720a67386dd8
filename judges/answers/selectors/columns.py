"""Read what the table is sorted and filtered by, each part once for as long as its rows stay the same."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from django.db.models import Q

from analysis.arrays import Flags, Floats, Integers
from analysis.text import count_words
from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Prediction, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.projects.rules import Area, Credit
from annotation.projects.selectors import kept
from common.database.rows import Microseconds, read_integers, read_rows
from judges.answers.rules import RATER, GivenBy, Sort, is_rater, people_say, rank_by
from judges.comparison.rules.study import NO_VERDICT, UNDECIDED, Codes, RunFacts
from judges.comparison.selectors.judge_board.pairs import PEOPLE
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.comparison.selectors.study import as_flag, meaning_of, read_decided, read_said


class Answers(NamedTuple):
    """All answers of a project in the order of their keys: each one's question, by key, and its place.

    study: the place in the order of the study, in which judged questions come first.
    """

    ids: Integers
    question: Integers
    study: Integers

    def numbers(self, ids: Integers) -> Integers:
        """Return the numbers of answers given by key, without those that are not among them."""
        places = np.searchsorted(self.ids, ids)
        return places[np.isin(ids, self.ids)]


@kept(Area.ITEMS)
def read_answers(project: Project) -> Answers:
    """Return the answers there are; the study's arrays have them in the same order.

    Judged questions come first, then questions go by their place and answers by theirs. That is found here:
    a database that joins and sorts all answers takes three times as long.
    """
    rows = Candidate.objects.filter(project=project).order_by("pk")
    ids, question, position = read_integers(rows, "pk", "question_id", "position").T
    asked = (
        Question.objects.filter(project=project).order_by("pk").annotate(judged=as_flag(Q(in_sample=True)))
    )
    question_ids, judged, place = read_integers(asked, "pk", "judged", "position").T
    # What was imported between the two queries belongs to the next state.
    is_known = np.isin(question, question_ids)
    ids, question, position = ids[is_known], question[is_known], position[is_known]
    of = np.searchsorted(question_ids, question)
    order = np.lexsort((ids, position, question, place[of], -judged[of]))
    study = np.empty(len(order), dtype=np.int64)
    study[order] = np.arange(len(order))
    return Answers(ids, question, study)


@kept(Area.ITEMS)
def read_given_by(project: Project, system: str) -> GivenBy:
    """Return what a system gave, by its name; nothing else that systems said is read."""
    answers = read_answers(project)
    rows = Prediction.objects.filter(system__project=project, system__name=system).order_by()
    candidate, question = read_integers(rows, "candidate_id", "question_id").T
    is_known = np.isin(candidate, answers.ids)
    return GivenBy(np.searchsorted(answers.ids, candidate[is_known]), question[is_known])


@kept(Area.ITEMS)
def read_system_counts(project: Project) -> Integers:
    """Return how many systems gave every answer."""
    answers = read_answers(project)
    rows = read_integers(Prediction.objects.filter(system__project=project).order_by(), "candidate_id")
    return np.bincount(answers.numbers(rows[:, 0]), minlength=len(answers.ids))


class Texts(NamedTuple):
    """Of every answer how many words it has, and its place in the alphabet."""

    words: Integers
    alphabet: Integers


@kept(Area.ITEMS)
def read_texts(project: Project) -> Texts:
    """Return what the table needs to know of the answers' texts."""
    rows = Candidate.objects.filter(project=project).order_by("pk")
    texts = [text for (text,) in read_rows(rows, "text")]
    words = np.fromiter((count_words(text) for text in texts), dtype=np.int64, count=len(texts))
    return Texts(words, _alphabet([text.casefold() for text in texts]))


def _alphabet(texts: Sequence[str]) -> Integers:
    """Return the place of every text among those there are; equal ones have the same."""
    places = {text: place for place, text in enumerate(sorted(set(texts)))}
    return np.fromiter((places[text] for text in texts), dtype=np.int64, count=len(texts))


@kept()
def read_vote_counts(project: Project) -> Integers:
    """Return how many votes stand on every answer."""
    answers = read_answers(project)
    votes = Judgment.objects.votes().filter(candidate__project=project)
    rows = read_integers(votes.exclude(state=Judgment.State.WITHDRAWN).order_by(), "candidate_id")
    return np.bincount(answers.numbers(rows[:, 0]), minlength=len(answers.ids))


class Decisions(NamedTuple):
    """What every answer was decided to be.

    labels: the protocol's, then those of earlier protocols that decisions still bear, by key. label: its
    place among them. source: its place in `SOURCES`. decided_at: when, in microseconds since 1970. These are
    NaN where it is not decided.
    """

    labels: Sequence[str]
    label: Floats
    source: Floats
    decided_at: Floats


SOURCES = tuple(Decision.Source.values)


@kept()
def read_decisions(project: Project) -> Decisions:
    """Return the decisions in force."""
    answers = read_answers(project)
    source_number = {source: place for place, source in enumerate(SOURCES)}
    rows = Decision.objects.in_force().filter(candidate__project=project).order_by("candidate_id")
    fields = ("candidate_id", "label", "source", "time")
    decided = list(read_rows(rows.annotate(time=Microseconds("decided_at")), *fields))
    labels = _labels(project, {row[1] for row in decided})
    number = {label: place for place, label in enumerate(labels)}
    ids = np.fromiter((row[0] for row in decided), dtype=np.int64, count=len(decided))
    found = np.full((3, len(answers.ids)), np.nan)
    found[:, answers.numbers(ids)] = (
        np.array(
            [(number[label], source_number[source], time) for _, label, source, time in decided],
            dtype=np.float64,
        )
        .reshape(-1, 3)
        .T
    )
    return Decisions(labels, *found)


def _labels(project: Project, used: Collection[str]) -> Sequence[str]:
    known = project.protocol.rules.labels if project.protocol else ()
    return tuple(dict.fromkeys([*(label.key for label in known), *sorted(used)]))


def read_labelled(project: Project, label: str) -> Flags:
    """Say which answers were decided to have this label."""
    decisions = read_decisions(project)
    # A place that no answer has where nothing bears the label.
    place = decisions.labels.index(label) if label in decisions.labels else -1
    flags: Flags = decisions.label == place
    return flags


@kept()
def read_judges(project: Project) -> Sequence[RunFacts]:
    """Return the runs that can be columns, in the order of the boards."""
    return tuple(read_runs(project))


def find_run(project: Project, public_id: str) -> RunFacts | None:
    """Return the run of a judge with this id, or None: an address may name one that is gone."""
    return next((run for run in read_judges(project) if run.public_id == public_id), None)


def read_compared(project: Project, first: str, second: str) -> tuple[Codes, Codes]:
    """Return what two columns say of every answer, to be compared: people's labels, or else verdicts.

    The rule of a protocol that knows "possibly correct" decides it apart from both others, so people who
    say that differ from people who say either. A judge only accepts or rejects; beside one it is no
    acceptance, as on the leaderboard and the judge board.
    """
    are_people = all(column == PEOPLE or is_rater(column) for column in (first, second))
    read = read_meant if are_people else read_codes
    return read(project, first), read(project, second)


def read_codes(project: Project, column: str) -> Codes:
    """Return what a run, by its id, an annotator or `PEOPLE` say of every answer.

    An annotator is called by `RATER` and the pseudonym. Somebody unknown says nothing.
    """
    if column == PEOPLE or is_rater(column):
        return people_say(read_meant(project, column))
    run = find_run(project, column)
    if run is None:
        return np.full(len(read_answers(project).ids), NO_VERDICT, dtype=np.int8)
    return read_said(project, [run.id])[run.id].verdict


def read_meant(project: Project, column: str) -> Codes:
    """Return what the labels of an annotator or of `PEOPLE` mean, answer by answer, as boards know it."""
    if column == PEOPLE:
        return read_decided(project).said_by_people
    return read_votes_of(project, column.removeprefix(RATER))


@kept()
def read_votes_of(project: Project, pseudonym: str) -> Codes:
    """Return what an annotator's labels mean, answer by answer."""
    answers = read_answers(project)
    labels = project.protocol.rules.labels if project.protocol else ()
    # A vote without a verdict says nothing, also where it came too late to count as missing.
    empty = [label.key for label in labels if label.credit is Credit.MISSING]
    votes = Judgment.objects.votes().filter(rater__project=project, rater__pseudonym=pseudonym)
    votes = votes.exclude(state__in=(Judgment.State.WITHDRAWN, Judgment.State.MISSING))
    votes = votes.exclude(label__in=empty).order_by()
    said = read_integers(votes.annotate(meant=meaning_of(labels)), "candidate_id", "meant")
    codes = np.full(len(answers.ids), UNDECIDED, dtype=np.int8)
    codes[answers.numbers(said[:, 0])] = said[:, 1]
    return codes


def read_rank(project: Project, sort: str) -> Integers:
    """Return the place of every answer in an order: a `Sort` or the id of a run, after `-` the other way.

    What there is no order by is in that of the study.
    """
    study = read_answers(project).study
    descending, key = sort.startswith("-"), sort.removeprefix("-")
    values = _values(project, key)
    if values is None:
        return study
    return rank_by(values, study=study, descending=descending)


def _values(project: Project, key: str) -> Floats | None:
    match key:
        case Sort.QUESTION:
            values: Integers | Floats = read_answers(project).study
        case Sort.ANSWER:
            values = read_texts(project).alphabet
        case Sort.WORDS:
            values = read_texts(project).words
        case Sort.VOTES:
            values = read_vote_counts(project)
        case Sort.SYSTEMS:
            values = read_system_counts(project)
        case Sort.LABEL:
            values = read_decisions(project).label
        case Sort.DECIDED_AT:
            values = read_decisions(project).decided_at
        case _:
            return _scores(project, key)
    return values.astype(np.float64)


def _scores(project: Project, run_id: str) -> Floats | None:
    """Return a run's scores; its verdicts where it gives none."""
    run = find_run(project, run_id)
    if run is None:
        return None
    verdict, score = read_said(project, [run.id])[run.id]
    return np.where(np.isnan(score) & (verdict >= 0), verdict, score)
