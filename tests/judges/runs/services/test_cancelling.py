"""A cancelled run lets go of its worker, whatever its provider does, and what may be paid stays counted."""

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from pytest_django import Settings

from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.connections.services import client
from judges.connections.services.client import UNWANTED
from judges.protocol import JudgeInput, Verdict, look
from judges.runs.models import Call, JudgeRun
from judges.runs.services import control, worker
from tests.hostile import Provider
from tests.judges.runs.asking import make_connection
from tests.judges.runs.conftest import StubbornJudge
from tests.judges.runs.services.conftest import start, work

# The longest that a connection may ask for: a test that fails waits for it.
TIMEOUT_SECONDS = 600
Stop = Callable[[JudgeRun], None]
WhileAsked = Callable[[Stop, Callable[[], object]], None]


@pytest.fixture(autouse=True)
def allowed_here(settings: Settings) -> None:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1", "models.example"]


def ask(study: Project, base_url: str, *, api: str = "openai") -> JudgeRun:
    """Start a run over a connection to this address."""
    connection = make_connection(study, timeout_seconds=TIMEOUT_SECONDS, api=api)
    Connection.objects.filter(pk=connection.pk).update(base_url=base_url)
    return control.start_run(project=study, judge_key="llm", options={}, connection_id=connection.public_id)


@pytest.fixture
def while_asked(monkeypatch: pytest.MonkeyPatch) -> WhileAsked:
    """Have somebody stop the run once its first call is in flight; it is looked at once more then."""
    really_look = worker.is_under_way

    def arrange(stop: Stop, is_asked: Callable[[], object]) -> None:
        left = [stop]

        def look(*, run_id: int) -> bool:
            if left and is_asked():
                left.pop()(JudgeRun.objects.get(pk=run_id))
            return really_look(run_id=run_id)

        monkeypatch.setattr(worker, "is_under_way", look)

    return arrange


@pytest.fixture
def nameless(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No name is ever resolved, as long as the test lasts; set once somebody asks for one."""
    is_asked, is_over = threading.Event(), threading.Event()

    def resolve(host: str, port: int) -> list[str]:
        is_asked.set()
        is_over.wait()
        raise OSError

    monkeypatch.setattr(client, "resolve_host", resolve)
    yield is_asked
    is_over.set()


def cancel(run: JudgeRun) -> None:
    control.cancel_run(run=run)


def pause(run: JudgeRun) -> None:
    control.pause_run(run=run)


class TestCancel:
    @pytest.mark.parametrize("script", ["hang", "drip"])
    def test_frees_the_worker_of_a_call_that_no_reply_ends(
        self,
        study: Project,
        start_provider: Callable[[str], Provider],
        while_asked: WhileAsked,
        script: str,
    ) -> None:
        provider = start_provider(script)
        while_asked(cancel, provider.entries)
        run = work(ask(study, provider.base_url))
        assert (run.state, run.verdicts.count()) == (JudgeRun.State.CANCELLED, 0)
        assert len(provider.entries()) == 1
        assert work(start(study)).verdicts.count() == 5

    def test_counts_what_was_in_flight_at_its_bound(
        self, study: Project, start_provider: Callable[[str], Provider], while_asked: WhileAsked
    ) -> None:
        provider = start_provider("hang")
        while_asked(cancel, provider.entries)
        run = work(ask(study, provider.base_url))
        call = run.calls.get()
        assert (call.state, call.is_counted, call.error) == (Call.State.SETTLED, False, UNWANTED)
        assert call.cost == call.reserved > 0
        purse = study.connections.get()
        assert (run.spent, run.reserved, purse.spent, purse.reserved) == (call.cost, 0, call.cost, 0)

    @pytest.mark.parametrize("api", ["anthropic", "gemini"])
    def test_frees_the_worker_whatever_the_api_and_counts_the_call(
        self, study: Project, start_provider: Callable[[str], Provider], while_asked: WhileAsked, api: str
    ) -> None:
        provider = start_provider("hang")
        while_asked(cancel, provider.entries)
        run = work(ask(study, provider.origin, api=api))
        call = run.calls.get()
        assert (run.state, run.verdicts.count()) == (JudgeRun.State.CANCELLED, 0)
        assert (call.state, call.error, call.cost) == (Call.State.SETTLED, UNWANTED, call.reserved)
        assert len(provider.entries()) == 1

    def test_frees_the_worker_of_a_name_that_nobody_resolves(
        self, study: Project, nameless: threading.Event, while_asked: WhileAsked
    ) -> None:
        while_asked(cancel, nameless.is_set)
        run = work(ask(study, "http://models.example/v1"))
        assert (run.state, run.reserved) == (JudgeRun.State.CANCELLED, 0)


class TestLocalJudge:
    def test_stops_in_the_middle_of_a_batch(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        begun: list[int] = []

        def judge(batch: Sequence[JudgeInput]) -> list[Verdict]:
            look()
            control.cancel_run(run=JudgeRun.objects.get())
            begun.append(len(batch))
            look()
            raise AssertionError("it went on")

        stubborn.behave = staticmethod(judge)
        run = work(start(study, "stubborn"))
        assert (run.state, run.verdicts.count(), run.batches.count()) == (JudgeRun.State.CANCELLED, 0, 0)
        assert len(begun) == 1


class TestPause:
    def test_waits_for_the_reply_in_flight_and_keeps_it(
        self, study: Project, start_provider: Callable[[str], Provider], while_asked: WhileAsked
    ) -> None:
        provider = start_provider("latency=5 good")
        while_asked(pause, provider.entries)
        run = work(ask(study, provider.base_url))
        assert (run.state, run.verdicts.count()) == (JudgeRun.State.PAUSED, 1)
        call = run.calls.get()
        assert (call.state, call.is_counted) == (Call.State.SETTLED, True)
