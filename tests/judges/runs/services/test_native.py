"""Runs over providers' own APIs: what is charged is what they bill, and what they withhold is no verdict."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from annotation.projects.models import Project
from common.clock import now
from judges.connections.models import Connection
from judges.runs.models import Call, JudgeRun
from judges.runs.selectors.progress import get_progress
from judges.runs.services.control import start_run
from tests.hostile import Provider
from tests.judges.runs.asking import PRICE, make_connection
from tests.judges.runs.services.conftest import work

Start = Callable[[str], Provider]
ANSWERS = 5

pytestmark = pytest.mark.parametrize("api", ["anthropic", "gemini"])


@pytest.fixture(autouse=True)
def allowed_here(settings: Settings) -> None:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]


def judge(study: Project, provider: Provider, api: str) -> JudgeRun:
    """Have a model judge everything, as far as it comes."""
    connection = make_connection(study, api=api)
    Connection.objects.filter(pk=connection.pk).update(base_url=provider.origin)
    run = start_run(project=study, judge_key="llm", options={}, connection_id=connection.public_id)
    return work(run)


class TestRuns:
    def test_are_charged_what_the_provider_bills(
        self, study: Project, start_provider: Start, api: str
    ) -> None:
        provider = start_provider("good")
        run = judge(study, provider, api)
        assert (run.state, run.verdicts.filter(accepted=True).count()) == (JudgeRun.State.FINISHED, ANSWERS)
        prices = {"input_price": PRICE, "output_price": PRICE}
        assert run.spent == sum(entry.price(**prices) for entry in provider.entries())
        progress = get_progress(run=run, at=now())
        assert (progress.calls.calls, progress.calls.paid_cached_tokens) == (ANSWERS, ANSWERS)
        assert [served.model for served in progress.served] == ["hostile-1"]

    def test_name_the_api_in_the_signature(self, study: Project, start_provider: Start, api: str) -> None:
        run = judge(study, start_provider("good"), api)
        assert f"|api:{api}" in run.signature

    @pytest.mark.parametrize(
        ("script", "reason"),
        [("refused", "filtered"), ("refused:Yes", "filtered"), ("length:Yes", "truncated")],
    )
    def test_that_get_no_whole_reply_could_not_judge(
        self, study: Project, start_provider: Start, api: str, script: str, reason: str
    ) -> None:
        run = judge(study, start_provider(script), api)
        verdicts = run.verdicts.values_list("accepted", "score", "unscored_reason")
        assert set(verdicts) == {(None, None, reason)}
        # It was billed all the same.
        assert run.spent > 0

    def test_pause_where_the_key_is_refused(self, study: Project, start_provider: Start, api: str) -> None:
        run = judge(study, start_provider("401:wrong+key"), api)
        assert (run.state, run.verdicts.count(), run.spent) == (JudgeRun.State.PAUSED, 0, 0)
        assert "wrong key" in run.message

    @pytest.mark.parametrize("script", ["429:1", "529"])
    def test_rest_while_the_provider_is_busy_and_are_not_charged(
        self, study: Project, start_provider: Start, api: str, script: str
    ) -> None:
        run = judge(study, start_provider(script), api)
        assert run.state in {JudgeRun.State.RUNNING, JudgeRun.State.QUEUED}
        assert (run.verdicts.count(), run.spent, run.reserved) == (0, 0, 0)
        rests_until = study.connections.get().rests_until
        assert rests_until is not None
        assert rests_until > now()

    def test_that_changed_their_api_pause(self, study: Project, start_provider: Start, api: str) -> None:
        provider = start_provider("good")
        connection = make_connection(study, api=api)
        Connection.objects.filter(pk=connection.pk).update(base_url=provider.origin)
        run = start_run(project=study, judge_key="llm", options={}, connection_id=connection.public_id)
        Connection.objects.filter(pk=connection.pk).update(api="openai")
        run = work(run)
        assert (run.state, Call.objects.count()) == (JudgeRun.State.PAUSED, 0)
        assert "no longer uses the model" in run.message
