"""A model that proposes in a tagging round: asked by the machinery of runs, and never a judge."""

from typing import Any

import pytest
from django.db import connection as database

from annotation.projects.models import Membership, Project
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.connections.models import Connection
from judges.connections.selectors import describe_connection
from judges.methods.llm.client import Completion
from judges.protocol import JudgeFailed
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.runs.selectors.progress import list_progress
from judges.runs.services import control, worker
from judges.runs.services.control import CapNeedsPrices
from judges.runs.services.planning import ConnectionNeeded, UnusableMembers
from judges.tagging.models import TaggingRound, TagProposal
from judges.tagging.rules.rounds import Filter, Said
from judges.tagging.selectors import describe_round, view_comparison, view_item
from judges.tagging.services import save_tag_set, tag_item
from tests.judges.runs.asking import PRICE, Scripted, make_connection, reply
from tests.judges.tagging.conftest import Starter, item_of

USD = 10**12


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.tasks._ring", lambda *ring: None)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """A model that finds everything bridging, and cannot make up its mind about Marlowe."""
    scripted = Scripted()
    scripted.answer = lambda request: says("unsure" if "Marlowe" in str(request) else "bridging")
    monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: scripted)
    return scripted


@pytest.fixture
def connection(study: Project) -> Connection:
    return make_connection(study)


def says(tag: str, **fields: Any) -> Completion:
    return reply("", text=f'{{"tags": ["{tag}"], "reason": "It looks \\u0000 so."}}', **fields)


def work(tagging_round: TaggingRound) -> JudgeRun:
    run = tagging_round.proposer_run
    assert run is not None
    worker.work_on_run(run_id=run.pk, batches=100)
    run.refresh_from_db()
    return run


class TestProposing:
    def test_keeps_what_the_model_proposes_or_why_it_does_not(
        self, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        drawn = start(proposals="shown", connection=connection.public_id)
        assert work(drawn).state == JudgeRun.State.FINISHED
        rows = TagProposal.objects.filter(item__round=drawn)
        kept = {row.item.candidate.text: (row.tags, row.failure) for row in rows}
        assert kept.pop("Marlowe") == ([], "unknown_tag")
        assert set(map(str, kept.values())) == {"(['bridging'], '')"}
        proposal = view_item(item=item_of(drawn, "Pacific")).proposal
        assert (proposal.reason, proposal.signature) == (
            "It looks \N{REPLACEMENT CHARACTER} so.",
            drawn.proposer_run.signature,
        )
        assert "set:kamalloo@1|choices_hash:" in proposal.signature
        assert "|model:tiny|" in proposal.signature
        view = describe_round(drawn)
        assert (view.total, view.proposed, view.not_proposed) == (5, 4, 1)

    def test_describes_the_connection_outside_the_transaction(
        self, start: Starter, connection: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        held: list[int] = []

        def describe(connection: Connection) -> dict[str, str]:
            # A local model's files are read for it: gigabytes, while nobody else could write.
            held.append(len(database.savepoint_ids))
            return describe_connection(connection)

        monkeypatch.setattr(control, "describe_connection", describe)
        before = len(database.savepoint_ids)
        start(proposals="shown", connection=connection.public_id)
        assert held == [before]

    def test_is_compared_with_people_where_it_proposed(
        self, start: Starter, model: Scripted, connection: Connection, member: Membership
    ) -> None:
        drawn = start(proposals="shown", connection=connection.public_id)
        work(drawn)
        for text in ("Pacific", "Marlowe"):
            tag_item(item=item_of(drawn, text), by=member, tags=["bridging"], seen_number=0)
        comparison = view_comparison(view=describe_round(drawn), member=member)
        assert (comparison.compared, comparison.agreed) == (1, 1)

    def test_hidden_ones_stay_hidden(self, start: Starter, model: Scripted, connection: Connection) -> None:
        drawn = start(proposals="hidden", connection=connection.public_id)
        work(drawn)
        assert view_item(item=item_of(drawn, "Pacific")).proposal is None

    def test_tells_the_model_what_the_judge_said(
        self, exact: JudgeRun, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        model.answer = lambda request: says("paraphrase")
        wanted = Filter(run=exact.public_id, said=Said.ERRS)
        work(start("evouna-evaluators", wanted, proposals="shown", connection=connection.public_id))
        told = [request.messages[0].content for request in model.asked]
        assert len(told) == 2
        assert all("The judge rejected it" in text and "structure-variation" in text for text in told)
        # Tags for other kinds of judges are not offered.
        assert not any("threshold-sensitivity" in text for text in told)

    def test_proposes_for_questions_by_the_answer_drawn(
        self, study: Project, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        tags = [{"key": "vague", "name": "Vague", "meaning": "{answer} and {nothing}"}]
        save_tag_set(project=study, by=study.created_by, key="own", name="Own", subject="question", tags=tags)
        model.answer = lambda request: says("vague")
        drawn = start("own", proposals="shown", connection=connection.public_id)
        work(drawn)
        assert TagProposal.objects.filter(item__round=drawn, tags=["vague"]).count() == 3


class TestMoney:
    def test_every_call_is_paid_and_no_cap_is_passed(
        self, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        # Bound by some 5,000 tokens, a call takes 3,000: one fits, and a second might not.
        model.answer = lambda request: says("bridging", input_tokens=3_000)
        drawn = start(proposals="shown", connection=connection.public_id, spend_cap=7_000 * PRICE)
        run = work(drawn)
        assert run.state == JudgeRun.State.PAUSED
        assert "spending limit" in run.message
        assert 0 < run.spent <= 7_000 * PRICE
        assert run.spent == sum(Call.objects.filter(run=run).values_list("cost", flat=True))
        control.resume_run(run=run, changes={"spend_cap": USD})
        assert work(drawn).state == JudgeRun.State.FINISHED
        assert len(model.asked) == 5

    def test_the_same_round_again_costs_nothing(
        self, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        first, second = (start(proposals="shown", connection=connection.public_id) for _ in range(2))
        work(first)
        assert work(second).spent == 0
        assert len(model.asked) == 5
        assert describe_round(second).proposed == 4

    def test_a_cap_needs_prices_and_a_model_a_connection(
        self, start: Starter, connection: Connection
    ) -> None:
        with pytest.raises(ConnectionNeeded):
            start(proposals="shown", connection="no such connection")
        Connection.objects.update(input_price=0)
        with pytest.raises(CapNeedsPrices):
            start(proposals="shown", connection=connection.public_id, spend_cap=USD)
        assert not TaggingRound.objects.exists()

    def test_what_was_never_answered_is_asked_again(
        self, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        def fail(request: Any) -> Completion:
            raise JudgeFailed("It is broken.", retryable=False)

        answer, model.answer = model.answer, fail
        drawn = start(proposals="shown", connection=connection.public_id)
        run = work(drawn)
        assert (run.state, describe_round(drawn).proposed) == (JudgeRun.State.FAILED, 0)
        model.answer = answer
        control.retry_failed(run=run)
        assert work(drawn).state == JudgeRun.State.FINISHED
        assert describe_round(drawn).proposed == 4

    def test_a_lost_claim_keeps_nothing(
        self, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        drawn = start(proposals="shown", connection=connection.public_id)

        def lose(request: Any) -> Completion:
            RunBatch.objects.filter(run=drawn.proposer_run).update(owner="somebody else")
            return says("bridging")

        model.answer = lose
        work(drawn)
        assert not TagProposal.objects.exists()


class TestIsNoJudge:
    def test_gives_no_verdict_and_stands_beside_no_judge(
        self, study: Project, exact: JudgeRun, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        before = read_leaderboard(project=study)
        drawn = start(proposals="shown", connection=connection.public_id)
        run = work(drawn)
        assert not Verdict.objects.filter(run=run).exists()
        assert read_leaderboard(project=study) == before
        assert [each.run for each in list_progress(project=study, at=run.created_at)] == [exact]

    def test_sits_on_no_jury(
        self, study: Project, exact: JudgeRun, start: Starter, model: Scripted, connection: Connection
    ) -> None:
        run = work(start(proposals="shown", connection=connection.public_id))
        with pytest.raises(UnusableMembers):
            control.start_run(
                project=study,
                judge_key="jury",
                options={"members": f"{exact.public_id},{run.public_id}"},
            )
