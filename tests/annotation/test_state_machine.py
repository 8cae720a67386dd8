"""Whatever raters and leads do, in whatever order: no promise about votes breaks (P1, P2, P4, P5, P19)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, NamedTuple

import pytest
from django.conf import settings as product
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotation.adjudication.services.deciding import (
    DecidedByPerson,
    InRatersHands,
    NothingToReopen,
    NotSentBack,
    decide_answer,
    reopen_answer,
    send_back,
    take_back,
)
from annotation.assignments.models import Assignment, Pilot, Purpose, Sheet
from annotation.assignments.selectors.open_work import SheetNotFound
from annotation.assignments.services.handing_out import NotHandedOut, hand_out
from annotation.assignments.services.pilots import NoPilot, PilotGoesOn, UnusablePilot, begin_pilot, end_pilot
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.selectors import improper_questions
from annotation.judgments.services.recording import (
    IncompleteSheet,
    SheetChanged,
    SheetClosed,
    SubmissionKeyReused,
    SubmitOutcome,
)
from annotation.judgments.services.revising import NothingToUndo, edit_judgment, undo_submit
from annotation.judgments.services.settling import settle_due
from annotation.judgments.services.submitting import ON_A_SHEET, skip_sheet, submit_sheet
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member
from annotation.projects.services.protocols import set_protocol
from common.identifiers import ALPHABET, LENGTH
from tests.annotation.assignments.factories import make_question, make_source, one_candidate
from tests.annotation.invariants import free_for, read_tables, rewritten, violations
from tests.factories import make_member, make_project

START = datetime(2026, 5, 4, 8, tzinfo=UTC)
LABELS = [
    {"key": "correct", "name": "Correct", "credit": "definite"},
    {"key": "incorrect", "name": "Incorrect", "credit": "none"},
    {"key": "cannot_judge", "name": "Cannot judge", "credit": "missing"},
]
CHECK = {"key": "improper", "text": "Improper?", "rule": "at_least", "at_least": 2, "skips_answers": True}
REFUSALS = (IncompleteSheet, SheetChanged, SheetClosed, SubmissionKeyReused, SheetNotFound)
TIE_BREAKS = {"third_rater": 1, "more_raters": 2, "lead": 0}
MOST_RATERS = 6

raters = st.integers(0, MOST_RATERS - 1)
# Passing over one answer of a sheet, or being unable to judge it, is rarer than judging it.
labels = st.lists(
    st.sampled_from(["correct", "correct", "incorrect", "incorrect", "cannot_judge", None]),
    min_size=4,
    max_size=4,
)


class Held(NamedTuple):
    """A sheet as a rater's browser knows it, however old that is."""

    rater: int
    sheet: str
    version: int
    answers: tuple[str, ...]


class Sent(NamedTuple):
    """A submit that was acknowledged."""

    call: dict[str, Any]
    outcome: SubmitOutcome


class Work(RuleBasedStateMachine):
    """Raters and a lead at work on two questions."""

    sheets = Bundle("sheets")

    def __init__(self) -> None:
        super().__init__()
        # All of one example happens inside a savepoint and is taken back.
        self.savepoint = transaction.atomic()
        self.savepoint.__enter__()
        self.at = START
        self.numbers = count(1)
        # By rater, answer and purpose.
        self.said: dict[tuple[int, str, str], str] = {}
        self.sent: dict[str, Sent] = {}
        self.taken_back: list[Sent] = []

    @initialize(
        k=st.integers(1, 3),
        tie_break=st.sampled_from(sorted(TIE_BREAKS)),
        fills=st.booleans(),
        sheet_size=st.sampled_from([1, 20]),
        has_check=st.booleans(),
        lags=st.booleans(),
    )
    def set_up(
        self, k: int, tie_break: str, fills: bool, sheet_size: int, has_check: bool, lags: bool
    ) -> None:
        # Whether votes are settled at moments of their own, as in an installation, or in each act.
        product.ASSAY_SETTLES_AT_ONCE = not lags
        self.project = make_project()
        self.spec: dict[str, Any] = {
            "preset": "own",
            "labels": LABELS,
            "decision_rule": "majority",
            "tie_break": tie_break,
            "sheet_size": sheet_size,
            "fill_tie_break_sheets": fills,
            "question_checks": [CHECK] if has_check else [],
        }
        self.most_votes = 0
        self.use(k)
        self.members: list[int] = []
        for _ in range(3):
            self.add_member()
        for _ in range(2):
            question = make_question(project=self.project, answers=2)
            # What equals a gold answer may leave the list, what does not may join it.
            make_source(candidate=one_candidate(question), system="s", gold="answer 0")
        self.tables = read_tables(self.project)

    def add_member(self) -> None:
        """Let somebody join under an id that is the same in every run: the order of sheets rests on it."""
        member = make_member(project=self.project)
        Membership.objects.filter(pk=member.pk).update(public_id=ALPHABET[len(self.members)] * LENGTH)
        self.members.append(member.pk)

    def use(self, k: int) -> None:
        """Let the protocol ask for `k` raters from now on."""
        spec = {**self.spec, "raters_per_answer": k, "most_raters": k + TIE_BREAKS["more_raters"]}
        set_protocol(project=self.project, spec=spec)
        self.k = k
        self.most_votes = max(self.most_votes, k + TIE_BREAKS[self.spec["tie_break"]])

    def rater(self, who: int) -> Membership:
        """Read a rater anew, as each request does."""
        members = Membership.objects.select_related("project__protocol", "user")
        return members.get(pk=self.members[who % len(self.members)])

    def candidate(self, which: int) -> Candidate:
        candidates = list(Candidate.objects.filter(project=self.project).order_by("pk"))
        return candidates[which % len(candidates)]

    @rule(target=sheets, who=raters, ahead=st.integers(1, 2))
    def ask_for_work(self, who: int, ahead: int) -> Any:
        rater = self.rater(who)
        free = free_for(rater, tables=read_tables(self.project), at=self.at)
        try:
            given = hand_out(rater=rater, ahead=ahead, at=self.at)
        except NotHandedOut:
            assert rater.state != Membership.State.ACTIVE
            return multiple()
        assert rater.state == Membership.State.ACTIVE
        if Pilot.objects.filter(ended_at=None).exists():
            free = []
        assert given or not free, f"told that nothing is left, while {free} are free"
        return multiple(*[self.seen(sheet) for sheet in given])

    def seen(self, sheet: Sheet) -> Held:
        shown = Assignment.objects.filter(sheet=sheet, state__in=ON_A_SHEET).order_by("pk")
        answers = tuple(shown.values_list("candidate__public_id", flat=True))
        return Held(sheet.rater_id, sheet.public_id, sheet.version, answers)

    @rule(held=sheets, chosen=labels, is_improper=st.booleans(), sends_version=st.booleans())
    def hand_in(
        self, held: Held, chosen: Sequence[str | None], is_improper: bool, sends_version: bool
    ) -> None:
        call = {
            "rater": Membership.objects.get(pk=held.rater),
            "sheet_id": held.sheet,
            "submission_key": f"key {next(self.numbers)}",
            "answers": [
                AnswerGiven(id=id_, label=label, skip_reason="" if label else "I do not know")
                for id_, label in zip(held.answers, chosen, strict=False)
            ],
            "checks": {CHECK["key"]: is_improper},
            "version": held.version if sends_version else None,
        }
        is_fresh = self.is_fresh(held)
        try:
            outcome = submit_sheet(**call, seconds=8.0, at=self.at)
        except REFUSALS:
            if is_fresh:
                raise
            return
        self.sent[call["submission_key"]] = Sent(call, outcome)
        self.remember(call, outcome)

    def is_fresh(self, held: Held) -> bool:
        """Whether the sheet is in its rater's hands as the browser shows it."""
        sheet = Sheet.objects.filter(
            public_id=held.sheet, state=Sheet.State.OPEN, lease_expires_at__gt=self.at
        ).first()
        return sheet is not None and self.seen(sheet) == held

    def remember(self, call: dict[str, Any], outcome: SubmitOutcome) -> None:
        """Keep what was acknowledged; a yes to the check speaks for all answers and leaves no labels.

        What the rater had judged in another tab meanwhile stands as they said it there.
        """
        sheet = Sheet.objects.get(submission_key=call["submission_key"])
        if CheckAnswer.objects.filter(sheet=sheet, answer=True).exists():
            return
        said = {
            (sheet.rater_id, answer.id, sheet.purpose): answer.label
            for answer in call["answers"]
            if answer.label
        }
        new = {key: label for key, label in said.items() if key not in self.said}
        assert outcome.counted + outcome.surplus == len(new)
        assert len(new) == len(said) or (outcome.came_back and "in another tab" in outcome.message)
        self.said |= new

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        """What was acknowledged is answered alike and does nothing more."""
        sheet = data.draw(st.sampled_from(list(self.sent)))
        before = JudgmentRevision.objects.count()
        again = submit_sheet(**self.sent[sheet].call, at=self.at)
        assert (again, JudgmentRevision.objects.count()) == (self.sent[sheet].outcome, before)

    @precondition(lambda self: self.taken_back)
    @rule(data=st.data())
    def send_what_was_taken_back(self, data: st.DataObject) -> None:
        """An offline queue may still hold it: it must not come back to life."""
        sent = data.draw(st.sampled_from(self.taken_back))
        before = JudgmentRevision.objects.count()
        with pytest.raises((SubmissionKeyReused, SheetClosed, SheetNotFound)):
            submit_sheet(**sent.call, at=self.at)
        assert JudgmentRevision.objects.count() == before

    @rule(held=sheets)
    def skip(self, held: Held) -> None:
        is_fresh = self.is_fresh(held)
        rater = Membership.objects.get(pk=held.rater)
        key = f"key {next(self.numbers)}"
        try:
            skip_sheet(
                rater=rater,
                sheet_id=held.sheet,
                submission_key=key,
                reason="tired",
                version=held.version,
                at=self.at,
            )
        except REFUSALS:
            if is_fresh:
                raise

    @rule(target=sheets, who=raters)
    def undo(self, who: int) -> Any:
        rater = self.rater(who)
        try:
            sheet = undo_submit(rater=rater, at=self.at)
        except (NothingToUndo, DecidedByPerson, NotHandedOut):
            return multiple()
        for id_ in Assignment.objects.filter(sheet=sheet).values_list("candidate__public_id", flat=True):
            self.said.pop((rater.pk, id_, sheet.purpose), None)
        self.taken_back.append(self.sent.pop(sheet.former_keys[-1]))
        return self.seen(sheet)

    @precondition(lambda self: self.said)
    @rule(data=st.data(), label=st.sampled_from(["correct", "incorrect", "cannot_judge"]))
    def edit(self, data: st.DataObject, label: str) -> None:
        rater, answer, purpose = data.draw(st.sampled_from(list(self.said)))
        judgment = Judgment.objects.get(rater=rater, candidate__public_id=answer, purpose=purpose)
        before = read_answers(self.project, without=judgment)
        try:
            edit_judgment(
                rater=Membership.objects.select_related("project__protocol", "user").get(pk=rater),
                sheet_id=judgment.assignment.sheet.public_id,
                given=AnswerGiven(id=answer, label=label),
                seen_at=judgment.judged_at,
                at=self.at,
            )
        except (DecidedByPerson, NotHandedOut):
            return
        self.said[rater, answer, purpose] = label
        assert read_answers(self.project, without=judgment) == before

    @rule()
    def settle(self) -> None:
        assert settle_due()

    @rule(is_long=st.booleans())
    def wait(self, is_long: bool) -> None:
        self.at += timedelta(seconds=product.ASSAY_LEASE_SECONDS * (2 if is_long else 0.3))

    @precondition(lambda self: len(self.members) < MOST_RATERS)
    @rule()
    def add_rater(self) -> None:
        self.add_member()

    @rule(who=raters, state=st.sampled_from(["active", "paused", "left"]))
    def change_rater(self, who: int, state: str) -> None:
        change_member(project=self.project, public_id=self.rater(who).public_id, state=state)

    @rule(k=st.integers(1, 3))
    def change_k(self, k: int) -> None:
        self.use(k)

    @rule()
    def begin_pilot(self) -> None:
        try:
            begin_pilot(project=self.project, by=self.project.created_by, questions=1, at=self.at)
        except (PilotGoesOn, UnusablePilot):
            return

    @rule(outcome=st.sampled_from(Pilot.Outcome.values))
    def end_pilot(self, outcome: str) -> None:
        try:
            end_pilot(project=self.project, by=self.project.created_by, outcome=outcome, at=self.at)
        except NoPilot:
            return
        held = Sheet.objects.filter(purpose=Purpose.PILOT, state=Sheet.State.OPEN)
        assert not held.exists()

    @rule(which=st.integers(0, 3), label=st.sampled_from(["correct", "incorrect"]))
    def adjudicate(self, which: int, label: str) -> None:
        project = Project.objects.select_related("protocol").get(pk=self.project.pk)
        decide_answer(
            project=project,
            candidate_id=self.candidate(which).public_id,
            by=project.created_by,
            label=label,
            reason="read it up",
            at=self.at,
        )

    @rule(which=st.integers(0, 3))
    def reopen(self, which: int) -> None:
        project = Project.objects.select_related("protocol").get(pk=self.project.pk)
        candidate_id = self.candidate(which).public_id
        try:
            reopen_answer(
                project=project,
                candidate_id=candidate_id,
                by=project.created_by,
                reason="new facts",
                at=self.at,
            )
        except NothingToReopen:
            assert self.candidate(which).state != Candidate.State.DECIDED

    @rule(which=st.integers(0, 3))
    def send_back(self, which: int) -> None:
        project = Project.objects.select_related("protocol").get(pk=self.project.pk)
        candidate = self.candidate(which)
        try:
            send_back(
                project=project,
                candidate_id=candidate.public_id,
                by=project.created_by,
                reason="hear one more",
                at=self.at,
            )
        except NotSentBack:
            return
        counted = Judgment.objects.filter(candidate=candidate, state=Judgment.State.COUNTED).count()
        self.most_votes = max(self.most_votes, counted + 1)
        assert self.candidate(which).state == Candidate.State.OPEN

    @rule(which=st.integers(0, 3))
    def take_back_what_the_lead_did(self, which: int) -> None:
        project = Project.objects.select_related("protocol").get(pk=self.project.pk)
        answer = self.candidate(which).public_id
        try:
            take_back(project=project, by=project.created_by, answer=answer, at=self.at)
        except (NothingToReopen, InRatersHands):
            return

    @invariant()
    def no_promise_is_broken(self) -> None:
        tables = read_tables(self.project)
        is_settled = not Sheet.objects.filter(settling_due=True).exists()
        found = violations(
            tables, raters_per_answer=self.k, most_votes=self.most_votes, is_settled=is_settled
        )
        assert found == []
        assert rewritten(self.tables, tables) == []
        self.tables = tables

    @invariant()
    def nothing_acknowledged_is_lost(self) -> None:
        stands = Judgment.objects.filter(candidate__project=self.project).exclude(
            state=Judgment.State.WITHDRAWN
        )
        stored = {
            (rater, id_, purpose): label
            for rater, id_, purpose, label in stands.values_list(
                "rater_id", "candidate__public_id", "purpose", "label"
            )
        }
        assert stored == self.said

    def teardown(self) -> None:
        try:
            self.finish()
        finally:
            product.ASSAY_SETTLES_AT_ONCE = True
            transaction.set_rollback(True)
            self.savepoint.__exit__(None, None, None)

    def finish(self) -> None:
        """With enough raters who judge, every answer comes to a decision or to the lead."""
        self.at += timedelta(seconds=2 * product.ASSAY_LEASE_SECONDS)
        self.end_pilot(Pilot.Outcome.AGAIN)
        for _ in range(self.most_votes + 1):
            self.add_member()
        for _ in range(2):
            for who in range(len(self.members)):
                self.work_off(who)
        waiting = Candidate.objects.filter(project=self.project, state=Candidate.State.OPEN)
        assert not waiting.exclude(question__in=improper_questions(self.project)).exists()

    def work_off(self, who: int) -> None:
        """Judge whatever there is for a rater."""
        if self.rater(who).state != Membership.State.ACTIVE:
            return
        self.settle()
        while given := hand_out(rater=self.rater(who), at=self.at):
            held = self.seen(given[0])
            self.hand_in(held, ["correct"] * len(held.answers), False, True)
            self.settle()
            self.no_promise_is_broken()


def read_answers(project: Project, *, without: Judgment) -> list[Any]:
    """Return the labels of all other judgments, which no edit may touch."""
    others = Judgment.objects.filter(candidate__project=project).exclude(pk=without.pk)
    return list(others.order_by("pk").values_list("pk", "label", "judged_at"))


def work(*, examples: int, steps: int, by_chance: bool, machine: type[Work] = Work) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            # What chance finds is for the long proof; this one says of every change the same.
            derandomize=not by_chance,
            database=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )


@pytest.mark.django_db
class TestWork:
    def test_no_order_of_acts_breaks_a_promise(self) -> None:
        work(examples=10, steps=20, by_chance=False)

    @pytest.mark.prove
    def test_no_long_order_of_acts_does(self) -> None:
        work(examples=500, steps=60, by_chance=True)
