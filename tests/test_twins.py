"""An annotator cannot tell twin studies apart that differ only in what annotators must not learn.

The annotator acts by a script and reads every route after every act; colleagues vote in between.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection

from annotation.assignments.selectors.open_work import count_questions_left
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Project
from tests.faults.proof import Proof
from tests.twins import (
    HIDDEN_QUESTIONS,
    LEASE,
    PROTOCOLS,
    Clock,
    Ids,
    Listener,
    Study,
    decide_what_is_judged,
    draw_some,
    fixed,
    hide,
    is_mine_no_more,
    make_all_work,
    make_study,
    meanwhile,
    other_gold,
    other_routes,
    other_systems,
    other_verdicts,
    sheets_in_order,
    vote,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(autouse=True)
def _settle_after_the_reply(settings: LazySettings) -> None:
    """Let votes be settled as in an installation; studies do it at moments of their own."""
    settings.ASSAY_SETTLES_AT_ONCE = False


ACTS = (
    *("submit",) * 3,
    *("edit",) * 2,
    *("undo", "skip", "flag", "next", "submit_again", "lapse", "late"),
)
# Of whose studies some answers go first, in both twins.
DRAWING = "three and a tie-break"
ACTS_A_DAY = 40
VOTING_DAYS = 4
HIDDEN_DAYS = 12


def nothing_else(study: Study, is_other: bool) -> None:
    """Let twins differ in colleagues' votes alone."""


def heard_in(
    monkeypatch: pytest.MonkeyPatch,
    *,
    protocol: str,
    seed: str,
    acts: int,
    change: Callable[[Study, bool], None],
    is_other: bool,
) -> list[str]:
    """Return all that the annotator heard in one twin."""
    with fixed(monkeypatch) as (clock, ids):
        study = make_study(protocol, clock, ids)
        change(study, is_other)
        if protocol == DRAWING:
            draw_some(study)
        me = Listener(study, seed=f"{seed} me", reads_all=lambda number: number % 10 == 9, hears_queries=True)
        others = Random(f"{seed} others")
        labels = Random(f"{seed} labels {is_other and change is nothing_else}")
        for number in range(acts):
            for _ in range(others.randrange(3)):
                meanwhile(study, others, labels)
            me.act(me.chance.choice(ACTS))
            me.read_everything(number)
            settle_sometimes(others)
        return me.heard


def settle_sometimes(chance: Random) -> None:
    """Mostly settle what was handed in before the next act, but not always."""
    if chance.random() < 0.8:
        settle_due()


def assert_alike(monkeypatch: pytest.MonkeyPatch, **script: Any) -> int:
    """Compare all that is heard in both twins, and return how many replies that was."""
    one, other = (heard_in(monkeypatch, is_other=is_other, **script) for is_other in (False, True))
    for number, (here, there) in enumerate(zip(one, other, strict=True)):
        assert here == there, f"reply {number} after {one[max(0, number - 30) : number]}"
    return len(one)


class TestColleaguesVotes:
    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_nothing_heard_differs_with_them(self, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
        assert_alike(monkeypatch, protocol=protocol, seed="short", acts=10, change=nothing_else)

    def test_would_be_heard_in_the_queries_where_they_are_settled_before_the_reply(
        self, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
    ) -> None:
        settings.ASSAY_SETTLES_AT_ONCE = True
        with pytest.raises(AssertionError, match="reply"):
            assert_alike(monkeypatch, protocol="openqa-eval", seed="short", acts=10, change=nothing_else)


class TestHiddenFacts:
    @pytest.mark.parametrize("change", [other_verdicts, other_gold, other_systems])
    def test_nothing_heard_differs_with_them(
        self, change: Callable[[Study, bool], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert_alike(monkeypatch, protocol="decisions shown", seed="short", acts=6, change=change)


class TestRouting:
    def test_nothing_heard_differs_with_where_one_rater_is_enough(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.prejudging.selectors.routing.replays.LEAST_JUDGED", 0)
        script = {"protocol": "decisions shown", "seed": "s4", "change": other_routes}
        assert_alike(monkeypatch, acts=11, **script)


def heard_of_purposes(
    monkeypatch: pytest.MonkeyPatch, *, seed: str, acts: int, order: list[tuple[int, list[str]]] | None
) -> list[str]:
    """Return what is heard in a study with hidden sheets, or where all of them, in this order, are work."""
    with fixed(monkeypatch) as (clock, ids):
        study = make_purposes(clock, ids, seed=seed)
        if order is None:
            hide(study)
        else:
            make_all_work(study, order)
        # Everything was there before the annotator came.
        clock.now += LEASE
        me = Listener(study, seed=f"{seed} me", reads_all=lambda number: number % 10 == 9)
        others, labels = Random(f"{seed} others"), Random(f"{seed} labels")
        for number in range(acts):
            question = others.choice(study.questions)
            if order is not None and is_mine_no_more(study, question):
                vote(study, study.colleagues[number % 2], question, labels)
            if others.random() < 0.15:
                decide_what_is_judged(study, others)
            clock.now += timedelta(seconds=1)
            me.act(me.chance.choice(ACTS))
            me.read_everything(number)
            settle_sometimes(others)
        return me.heard


def make_purposes(clock: Clock, ids: Ids, *, seed: str) -> Study:
    study = make_study("more annotators", clock, ids, questions=16)
    Project.objects.filter(pk=study.project.pk).update(seed=Random(seed).randrange(10**6))
    study.me.project.refresh_from_db()
    return study


def order_of_sheets(monkeypatch: pytest.MonkeyPatch, *, seed: str) -> list[tuple[int, list[str]]]:
    """Return the sheets in the order they come, as many as the annotator was told."""
    with fixed(monkeypatch) as (clock, ids):
        study = make_purposes(clock, ids, seed=seed)
        hide(study)
        clock.now += LEASE
        told = count_questions_left(rater=study.me)
        order = sheets_in_order(study)
        assert len(order) == told
        return order


def assert_purposes_alike(monkeypatch: pytest.MonkeyPatch, *, seed: str, acts: int) -> int:
    """Compare all that is heard in both twins, and return how many replies that was."""
    order = order_of_sheets(monkeypatch, seed=seed)
    assert {position for position, _ in order} & {*HIDDEN_QUESTIONS}
    one = heard_of_purposes(monkeypatch, seed=seed, acts=acts, order=None)
    other = heard_of_purposes(monkeypatch, seed=seed, acts=acts, order=order)
    for number, (here, there) in enumerate(zip(one, other, strict=True)):
        assert here == there, f"reply {number} after {one[max(0, number - 30) : number]}"
    return len(one)


class TestPurposesOfSheets:
    @pytest.mark.parametrize("seed", ["one", "two"])
    def test_nothing_heard_differs_with_them(self, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
        assert assert_purposes_alike(monkeypatch, seed=seed, acts=24)

    @pytest.mark.parametrize("day", range(3))
    def test_as_many_sheets_come_as_were_told(self, day: int, monkeypatch: pytest.MonkeyPatch) -> None:
        # With the seed of the third day a hidden sheet was drawn as long as work that is longer than any
        # known question.
        assert order_of_sheets(monkeypatch, seed=f"day {day}")


CHANGES = ((nothing_else, VOTING_DAYS), (other_verdicts, 1), (other_systems, 1))


class Counted:
    """How much was done in days of which nothing that was heard differs."""

    def __init__(self) -> None:
        self.days = self.replies = 0

    def add(self, replies: int) -> None:
        self.days += 1
        self.replies += replies


@pytest.fixture(scope="class")
def counted() -> Iterator[Counted]:
    """Write down what was measured, once every day was like its twin."""
    counted = Counted()
    yield counted
    if counted.days == len(PROTOCOLS) * sum(days for _, days in CHANGES) + HIDDEN_DAYS:
        Proof().record(
            "P21",
            "twins that differ in votes, verdicts, systems or purposes of sheets",
            promised="0 replies differ",
            measured=f"0 of {counted.replies:,} after {counted.days * ACTS_A_DAY:,} acts",
            database="PostgreSQL" if connection.vendor == "postgresql" else "SQLite",
        )


@pytest.mark.prove
class TestLongDays:
    """Hundreds of acts under every protocol, each change in a transaction of its own.

    What many studies leave behind in one transaction PostgreSQL reads over and over.
    """

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    @pytest.mark.parametrize(("change", "days"), CHANGES)
    def test_nothing_heard_differs(
        self,
        protocol: str,
        change: Callable[[Study, bool], None],
        days: int,
        monkeypatch: pytest.MonkeyPatch,
        counted: Counted,
    ) -> None:
        for day in range(days):
            script = {"protocol": protocol, "seed": f"day {day}", "change": change}
            counted.add(assert_alike(monkeypatch, acts=ACTS_A_DAY, **script))

    @pytest.mark.parametrize("day", range(HIDDEN_DAYS))
    def test_nothing_heard_differs_with_purposes(
        self, day: int, monkeypatch: pytest.MonkeyPatch, counted: Counted
    ) -> None:
        counted.add(assert_purposes_alike(monkeypatch, seed=f"day {day}", acts=ACTS_A_DAY))
