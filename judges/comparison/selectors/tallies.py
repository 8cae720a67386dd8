"""Count what each way of judging says of each system."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import Count, F, Q, Sum

from annotation.gold.rules import amended_gold, wanted_changes
from annotation.gold.selectors import gold_lists
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
from judges.comparison.selectors.answers import Answer, ExactMatcher, Facts
from judges.runs.models import Verdict

Tallies = dict[str, dict[int, Tally]]


def human_tallies(facts: Facts, *, matcher: ExactMatcher) -> tuple[Tallies, dict[int, Standing]]:
    """Return both scores people give, and what is settled, by system."""
    gold = gold_lists(facts.project, amended=True)
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


def verdict_tallies(facts: Facts, *, columns: Mapping[int, Column]) -> Tallies:
    """Add up verdicts by run and system where a judge has one for every answer: in one query.

    Unscored verdicts have no part in a score; an answer without a verdict leaves the tally incomplete.
    """
    sizes = Counter(answer.system for answer in facts.answers)
    predictions = Prediction.objects.filter(
        system__project=facts.project, candidate__verdicts__run__in=list(columns)
    ).exclude(question__in=facts.improper)
    if facts.scope is Scope.SAMPLE:
        predictions = predictions.filter(question__in_sample=True)
    verdict = "candidate__verdicts__"
    rows = (
        predictions.values_list(f"{verdict}run_id", "system_id")
        .annotate(
            seen=Count("pk"),
            scored=Count("pk", filter=Q(**{f"{verdict}accepted__isnull": False})),
            correct=Count("pk", filter=Q(**{f"{verdict}accepted": True})),
            total=Sum(f"{verdict}score"),
            squares=Sum(F(f"{verdict}score") * F(f"{verdict}score")),
        )
        .order_by()
    )
    tallies: Tallies = {column.key: {} for column in columns.values()}
    for run, system, seen, scored, correct, total, squares in rows:
        is_complete = seen == sizes[system]
        tally = Tally(scored, correct, total or 0.0, squares or 0.0, is_complete)
        tallies[columns[run].key][system] = tally
    return tallies


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
        gold = dict(original)
        for question, (accepted, rejected) in said[run.id].items():
            changes = wanted_changes(original=original[question], accepted=accepted, rejected=rejected)
            gold[question] = amended_gold(original=original[question], changes=changes)
        tallies[columns[run.id].key] = _count_matches(facts.answers, gold, matcher)
    return tallies


def _judged_strings(columns: Mapping[int, Column]) -> Mapping[int, dict[int, tuple[list[str], list[str]]]]:
    said: Mapping[int, dict[int, tuple[list[str], list[str]]]] = defaultdict(dict)
    rows = (
        Verdict.objects.filter(run__in=list(columns), accepted__isnull=False)
        .order_by("run_id", "candidate__question_id", "candidate__position", "candidate_id")
        .values_list("run_id", "candidate__question_id", "candidate__text", "accepted")
    )
    for run, question, text, accepted in rows:
        said[run].setdefault(question, ([], []))[0 if accepted else 1].append(text)
    return said


def _count_matches(
    answers: list[Answer], gold: Mapping[int, tuple[str, ...]], matcher: ExactMatcher
) -> dict[int, Tally]:
    sizes: Counter[int] = Counter()
    matched: Counter[int] = Counter()
    for answer, is_match in matcher.matches(answers=answers, gold=gold):
        sizes[answer.system] += 1
        matched[answer.system] += is_match
    return {system: count_correct(n=n, correct=matched[system]) for system, n in sizes.items()}
