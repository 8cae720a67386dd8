"""Money of a run and its connection: whatever happens, no cap is passed and nothing is lost."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Q
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.projects.models import Organization, Project
from annotation.projects.services.organizations import change_organization, create_organization
from common.clock import now
from judges.connections.models import Connection
from judges.methods.llm.client import Completion
from judges.protocol import JudgeFailed
from judges.runs.models import Call, JudgeRun, MonthlySpend, RunBatch
from judges.runs.selectors.progress import name_month
from judges.runs.services import batches, control, spending
from judges.runs.services.batches import Claim
from tests.judges.runs.asking import make_connection

ACTS = st.lists(
    st.tuples(st.sampled_from(["reserve", "settle", "release", "bill", "die"]), st.integers(0, 40)),
    max_size=30,
)


class Purse:
    """A run in one worker's hands, whose calls the test makes up."""

    def __init__(self, connection: Connection, *, cap: int | None) -> None:
        self.connection = connection
        self.run = control.start_run(
            project=connection.project,
            judge_key="llm",
            options={},
            connection_id=connection.public_id,
            spend_cap=cap,
        )
        JudgeRun.objects.filter(pk=self.run.pk).update(spent=0, reserved=0, spend_cap=cap, state="queued")
        RunBatch.objects.filter(run=self.run).update(state=RunBatch.State.OPEN, attempt=0, owner="")
        Call.objects.all().delete()
        self.claim = self._claim()
        self.open: list[Call] = []
        self.made = 0

    def _claim(self) -> Claim:
        claim = batches.claim_batch(run_id=self.run.pk, at=now())
        assert claim is not None
        return claim

    def reserve(self, bound: int) -> bool:
        try:
            self.claim_for(bound)
        except JudgeFailed:
            return False
        return True

    def claim_for(self, bound: int) -> None:
        self.made += 1
        ticket = spending.Ticket(
            run_id=self.run.pk,
            connection_id=self.connection.pk,
            candidate_id=self.claim.candidate_ids[0],
            owner=self.claim.owner,
        )
        request = spending.Request(
            cache_key=f"key {self.made}", repeat=self.made, most_input_tokens=bound, most_output_tokens=0
        )
        self.open.append(spending.claim_call(ticket=ticket, request=request, at=now()))

    def act(self, act: str, amount: int) -> None:
        if act == "reserve":
            self.reserve(amount)
        elif act == "die":
            RunBatch.objects.filter(pk=self.claim.batch_id).update(lease_expires_at=now())
            spending.charge_lost_calls(at=now())
            RunBatch.objects.filter(pk=self.claim.batch_id).update(state=RunBatch.State.OPEN, attempt=0)
            self.open, self.claim = [], self._claim()
        elif self.open:
            self.end(self.open.pop(), act, amount)

    def end(self, call: Call, act: str, amount: int) -> None:
        if act == "settle":
            # Now and then the provider counts more than the bound.
            done = Completion(text="", finish_reason="stop", input_tokens=max(1, amount))
            spending.charge_call(call=call, completion=done, most_output_tokens=0, at=now())
        else:
            spending.fail_call(call=call, reason="no", may_be_billed=act == "bill", at=now())

    def violations(self) -> list[str]:
        self.run.refresh_from_db()
        self.connection.refresh_from_db()
        reserved = sum(Call.objects.filter(state="reserved").values_list("reserved", flat=True))
        costs = sum(Call.objects.filter(state="settled").values_list("cost", flat=True))
        checks = {
            "cap passed": self.run.spent + self.run.reserved > (self.run.spend_cap or 0),
            "reserved is not what is in flight": self.run.reserved != reserved,
            "more spent than it cost": self.run.spent > costs,
            "run and connection differ": self.run.reserved != self.connection.reserved,
        }
        return [words for words, is_so in checks.items() if is_so]


@pytest.fixture
def connection(study: Project) -> Connection:
    connection = make_connection(study)
    Connection.objects.filter(pk=connection.pk).update(input_price=1)
    return connection


class TestReserveSettleRelease:
    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(acts=ACTS, cap=st.integers(0, 100))
    def test_never_pass_the_cap_and_lose_nothing(
        self, connection: Connection, acts: list[tuple[str, int]], cap: int
    ) -> None:
        with transaction.atomic():
            purse = Purse(connection, cap=cap)
            for act, amount in acts:
                purse.act(act, amount)
                assert purse.violations() == []
            transaction.set_rollback(True)

    def test_refuse_what_does_not_fit(self, connection: Connection) -> None:
        purse = Purse(connection, cap=100)
        assert [purse.reserve(amount) for amount in (60, 41, 40, 1)] == [True, False, True, False]

    def test_would_be_caught_by_the_constraint_without_the_condition(
        self, connection: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(spending, "has_room", lambda more: Q())
        purse = Purse(connection, cap=100)
        assert [purse.reserve(amount) for amount in (60, 41)] == [True, False]
        assert purse.violations() == []

    def test_are_held_by_constraints(self, connection: Connection) -> None:
        purse = Purse(connection, cap=100)
        for change in ({"spent": 101}, {"reserved": 101}, {"reserved": -1}):
            with pytest.raises(IntegrityError), transaction.atomic():
                JudgeRun.objects.filter(pk=purse.run.pk).update(**change)


class TestCallsInFlight:
    def test_of_equal_requests_are_one(self, connection: Connection) -> None:
        purse = Purse(connection, cap=100)
        assert purse.reserve(1)
        purse.made -= 1
        with pytest.raises(spending.NotYet, match="identical call") as caught:
            spending.claim_call(
                ticket=spending.Ticket(
                    purse.run.pk, connection.pk, purse.claim.candidate_ids[0], purse.claim.owner
                ),
                request=spending.Request(
                    cache_key="key 1", repeat=0, most_input_tokens=1, most_output_tokens=0
                ),
                at=now(),
            )
        assert caught.value.is_for_all is False

    def test_are_begun_only_by_who_holds_the_batch(self, connection: Connection) -> None:
        purse = Purse(connection, cap=100)
        purse.claim = purse.claim._replace(owner="somebody else")
        assert purse.reserve(1) is False
        assert purse.violations() == []

    def test_are_not_begun_for_a_paused_run(self, connection: Connection) -> None:
        purse = Purse(connection, cap=100)
        control.pause_run(run=purse.run)
        assert purse.reserve(1) is False

    def test_that_cost_more_than_their_bound_fill_the_cap(self, connection: Connection) -> None:
        purse = Purse(connection, cap=20)
        purse.act("reserve", 5)
        purse.act("settle", 40)
        assert purse.violations() == []
        assert (purse.run.spent, purse.reserve(1)) == (20, False)
        assert Call.objects.get().cost == 40


class TestOrganizations:
    @pytest.fixture
    def lab(self, connection: Connection) -> Organization:
        lab = create_organization(slug="lab", name="The lab", owner=connection.project.created_by)
        Project.objects.filter(pk=connection.project_id).update(organization=lab)
        Connection.objects.filter(pk=connection.pk).update(output_price=1)
        return change_organization(organization=lab, limits={"monthly_spend_cap": 100})

    def used(self, lab: Organization) -> int:
        return sum(MonthlySpend.objects.filter(organization=lab).values_list("spent", flat=True))

    def test_let_no_call_begin_that_may_cost_more_than_is_left(
        self, connection: Connection, lab: Organization
    ) -> None:
        purse = Purse(connection, cap=1_000)
        assert [purse.reserve(amount) for amount in (60, 41, 40, 1)] == [True, False, True, False]
        assert (purse.run.spend_cap, purse.violations()) == (1_000, [])

    def test_wait_for_calls_in_flight_and_then_say_what_to_do(
        self, connection: Connection, lab: Organization
    ) -> None:
        purse = Purse(connection, cap=1_000)
        assert purse.reserve(80)
        with pytest.raises(spending.NotYet):
            purse.claim_for(21)
        purse.end(purse.open.pop(), "settle", 80)
        assert self.used(lab) == 80
        with pytest.raises(JudgeFailed) as refused:
            purse.claim_for(21)
        assert refused.value.pauses_run
        assert refused.value.reason == (
            "“The lab” may spend 0.0000000001 USD a month on language models. In "
            f"{name_month(now())}, 0.00000000008 USD has been spent, and the next call may cost "
            "0.000000000021 USD. Try again next month, or ask the administrator of this server to raise "
            "the limit."
        )

    def test_begin_each_month_anew(self, connection: Connection, lab: Organization) -> None:
        purse = Purse(connection, cap=1_000)
        assert purse.reserve(100)
        purse.end(purse.open.pop(), "bill", 0)
        assert not purse.reserve(1)
        MonthlySpend.objects.update(month="2020-01")
        assert purse.reserve(100)

    def test_are_charged_what_a_call_cost_wherever_its_project_is_by_then(
        self, connection: Connection, lab: Organization
    ) -> None:
        purse = Purse(connection, cap=1_000)
        assert purse.reserve(60)
        Project.objects.filter(pk=connection.project_id).update(organization=None)
        assert purse.reserve(500)
        purse.end(purse.open.pop(), "settle", 500)
        purse.end(purse.open.pop(), "settle", 30)
        assert self.used(lab) == 30

    def test_pay_nothing_for_what_was_released(self, connection: Connection, lab: Organization) -> None:
        purse = Purse(connection, cap=1_000)
        assert purse.reserve(100)
        purse.end(purse.open.pop(), "release", 0)
        assert self.used(lab) == 0
        assert purse.reserve(100)

    def test_need_prices(self, connection: Connection, lab: Organization) -> None:
        purse = Purse(connection, cap=1_000)
        JudgeRun.objects.filter(pk=purse.run.pk).update(spend_cap=None)
        Connection.objects.filter(pk=connection.pk).update(output_price=0)
        with pytest.raises(JudgeFailed, match="needs prices"):
            purse.claim_for(1)

    @pytest.mark.parametrize("is_limited", [True, False])
    def test_start_no_run_without_prices_under_a_limit(
        self, connection: Connection, lab: Organization, is_limited: bool
    ) -> None:
        Connection.objects.filter(pk=connection.pk).update(input_price=0)
        if is_limited:
            with pytest.raises(control.OrganizationNeedsPrices, match="The lab"):
                Purse(connection, cap=None)
            assert not JudgeRun.objects.exists()
        else:
            change_organization(organization=lab, limits={"monthly_spend_cap": None})
            assert Purse(connection, cap=None).run.spend_cap is None

    def test_without_a_limit_count_all_the_same(self, connection: Connection, lab: Organization) -> None:
        change_organization(organization=lab, limits={"monthly_spend_cap": None})
        purse = Purse(connection, cap=1_000)
        assert purse.reserve(500)
        purse.end(purse.open.pop(), "settle", 400)
        assert self.used(lab) == 400
