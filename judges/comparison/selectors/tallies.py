"""Count what each way of judging says of each system."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import partial

from django.db.models import Count, F, Q, QuerySet, Sum

from annotation.adjudication.models import Decision
from annotation.gold.rules import Change, amended_gold, wanted_changes
from annotation.gold.selectors import changes_undone_by_people, gold_lists
from annotation.items.models import Prediction
from judges.comparison.rules import (
    HUMAN,
    HUMAN_DECIDED,
    Column,
    RunFacts,
    Scope,
    Standing,
    Tally,
    count_correct,
)
from judges.comparison.selectors.answers import Answer, ExactMatcher, Facts, GoldLists
from judges.comparison.selectors.own_golds import Counts, counts_of, judge_by_own_golds
from judges.runs.models import Verdict

Tallies = dict[str, dict[int, Tally]]
# By question id: the strings that were accepted, and those that were rejected.
Said = dict[int, tuple[list[str], list[str]]]


def human_tallies(facts: Facts, *, matcher: ExactMatcher) -> tuple[Tallies, dict[int, Standing]]:
    """Return both scores people give, and what is settled, by system."""
    gold = _amended_by_people(facts)
    sizes: Counter[int] = Counter()
    matched: Counter[int] = Counter()
    decided: Counter[int] = Counter()
    accepted: Counter[int] = Counter()
    settled: Counter[int] = Counter()
    pending: Counter[int] = Counter()
    for answer, is_match in matcher.matches(answers=facts.answers, gold=gold):
        is_right = answer.label in facts.accepted_labels if answer.label is not None else is_match
        sizes[answer.system] += 1
        matched[answer.system] += is_match
        decided[answer.system] += answer.label is not None
        accepted[answer.system] += answer.label is not None and is_right
        pending[answer.system] += answer.label is None and answer.is_asked
        settled[answer.system] += is_right and not (answer.label is None and answer.is_asked)
    tallies = {
        HUMAN: {pk: count_correct(n=n, correct=matched[pk]) for pk, n in sizes.items()},
        HUMAN_DECIDED: {pk: count_correct(n=decided[pk], correct=accepted[pk]) for pk in sizes},
    }
    standings = {pk: Standing(n, decided[pk], settled[pk], pending[pk]) for pk, n in sizes.items()}
    return tallies, standings


def _amended_by_people(facts: Facts) -> GoldLists:
    said = _decided_strings(facts)
    undone = changes_undone_by_people(facts.project)
    return GoldLists(
        lists=gold_lists(facts.project, amended=True),
        amend=lambda question, golds: _amended(said, question, golds, without=undone),
    )


def _decided_strings(facts: Facts) -> Said:
    """Return what people accepted and rejected of questions where a file has gold answers of its own."""
    questions = {answer.question for answer in facts.answers if answer.golds is not None}
    said: Said = {}
    rows = Decision.objects.filter(
        candidate__question__in=questions, is_current=True, is_reopening=False
    ).order_by("candidate__position", "candidate_id")
    for question, text, label in rows.values_list("candidate__question_id", "candidate__text", "label"):
        accepted, rejected = said.setdefault(question, ([], []))
        if label in facts.accepted_labels:
            accepted.append(text)
        elif label in facts.rejected_labels:
            rejected.append(text)
    return said


def _amended(
    said: Said,
    question: int,
    original: tuple[str, ...],
    *,
    without: frozenset[tuple[int, Change]] = frozenset(),
) -> tuple[str, ...]:
    accepted, rejected = said.get(question, ((), ()))
    changes = wanted_changes(original=original, accepted=accepted, rejected=rejected)
    return amended_gold(
        original=original, changes=[change for change in changes if (question, change) not in without]
    )


def verdict_tallies(facts: Facts, *, columns: Mapping[int, Column]) -> Tallies:
    """Add up verdicts by run and system where a judge has one for every answer, in a few queries.

    Unscored verdicts have no part in a score; an answer without a verdict leaves the tally incomplete.
    Answers whose file has other gold answers than the question are judged by those where the judge is
    lexical: the stored verdict is about the question's.
    """
    sizes = Counter(answer.system for answer in facts.answers)
    judged_here = judge_by_own_golds(facts, run_ids=list(columns))
    counts: dict[tuple[int, int], Counts] = defaultdict(Counts)
    stored = _predictions(facts)
    _add_stored(counts, stored.filter(golds__isnull=True), run_ids=list(columns))
    others = [run for run in columns if run not in judged_here]
    _add_stored(counts, stored.filter(golds__isnull=False), run_ids=others)
    for run, verdicts in judged_here.items():
        for system, verdict in verdicts:
            counts[run, system] = counts[run, system].plus(counts_of(verdict))
    tallies: Tallies = {column.key: {} for column in columns.values()}
    for (run, system), sums in counts.items():
        is_complete = sums.seen == sizes[system]
        tally = Tally(sums.scored, sums.correct, sums.total, sums.squares, is_complete)
        tallies[columns[run].key][system] = tally
    return tallies


def _predictions(facts: Facts) -> QuerySet[Prediction]:
    predictions = Prediction.objects.filter(system__project=facts.project).exclude(
        question__in=facts.improper
    )
    return predictions.filter(question__in_sample=True) if facts.scope is Scope.SAMPLE else predictions


def _add_stored(
    counts: dict[tuple[int, int], Counts], predictions: QuerySet[Prediction], *, run_ids: list[int]
) -> None:
    verdict = "candidate__verdicts__"
    rows = (
        predictions.filter(candidate__verdicts__run__in=run_ids)
        .values_list(f"{verdict}run_id", "system_id")
        .annotate(
            seen=Count("pk"),
            scored=Count("pk", filter=Q(**{f"{verdict}accepted__isnull": False})),
            correct=Count("pk", filter=Q(**{f"{verdict}accepted": True})),
            total=Sum(f"{verdict}score"),
            squares=Sum(F(f"{verdict}score") * F(f"{verdict}score")),
        )
        .order_by()
    )
    for run, system, seen, scored, correct, total, squares in rows:
        row = Counts(seen, scored, correct, total or 0.0, squares or 0.0)
        counts[run, system] = counts[run, system].plus(row)


def recorded_tallies(
    facts: Facts, *, runs: Iterable[RunFacts], columns: Mapping[int, Column], matcher: ExactMatcher
) -> Tallies:
    """Score systems by the gold list as each recorded judge would amend it.

    Recorded verdicts cover the judged strings only, so, as for people, an answer counts when it equals
    the gold answers with what the judge accepted and without what it rejected.
    Source: Kamalloo et al. 2023; reproduction rule AMEND(J).
    """
    original = gold_lists(facts.project, amended=False)
    said = _judged_strings(columns)
    tallies: Tallies = {}
    for run in runs:
        amend = partial(_amended, said[run.id])
        lists = original | {question: amend(question, original[question]) for question in said[run.id]}
        gold = GoldLists(lists=lists, amend=amend)
        tallies[columns[run.id].key] = _count_matches(facts.answers, gold, matcher)
    return tallies


def _judged_strings(columns: Mapping[int, Column]) -> Mapping[int, Said]:
    said: Mapping[int, Said] = defaultdict(dict)
    rows = (
        Verdict.objects.filter(run__in=list(columns), accepted__isnull=False)
        .order_by("run_id", "candidate__question_id", "candidate__position", "candidate_id")
        .values_list("run_id", "candidate__question_id", "candidate__text", "accepted")
    )
    for run, question, text, accepted in rows:
        said[run].setdefault(question, ([], []))[0 if accepted else 1].append(text)
    return said


def _count_matches(answers: list[Answer], gold: GoldLists, matcher: ExactMatcher) -> dict[int, Tally]:
    sizes: Counter[int] = Counter()
    matched: Counter[int] = Counter()
    for answer, is_match in matcher.matches(answers=answers, gold=gold):
        sizes[answer.system] += 1
        matched[answer.system] += is_match
    return {system: count_correct(n=n, correct=matched[system]) for system, n in sizes.items()}
