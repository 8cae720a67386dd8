"""Runs over a local model, a tiny Llama that replies with given words: free, and no zero for a failure."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from annotation.projects.models import Project
from annotation.projects.services.organizations import change_organization, create_organization
from common.clock import now
from judges.connections.models import Connection
from judges.connections.rules.apis import LOCAL
from judges.connections.selectors import revision_of
from judges.connections.services import client
from judges.connections.services.changes import create_connection
from judges.methods.llm.client import Completion
from judges.prompts.selectors import CONNECTION_CHANGED
from judges.runs.models import Call, JudgeRun
from judges.runs.selectors.progress import get_progress
from judges.runs.services.control import start_run
from tests.judges.methods.tiny_models import save_writer
from tests.judges.runs.services.conftest import work

State = JudgeRun.State
ANSWERS = 5
YES, NO = '{"verdict":"correct"}', '{"verdict":"incorrect"}'
Start = Callable[..., JudgeRun]


@pytest.fixture
def start(study: Project, tmp_path: Path, settings: Settings) -> Start:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")

    def start(*, max_tokens: int = 100, **fields: Any) -> JudgeRun:
        save_writer(tmp_path / "writer", **{"says": (YES,), "longest": 5_000, **fields})
        settings.ASSAY_LOCAL_MODELS = [f"writer={tmp_path / 'writer'}"]
        found = study.connections.first() or create_connection(
            project=study, by=study.created_by, name="Own", api=LOCAL, model="writer"
        )
        options = {"max_tokens": max_tokens}
        return start_run(project=study, judge_key="llm", options=options, connection_id=found.public_id)

    return start


class TestRuns:
    def test_judge_for_nothing(self, start: Start) -> None:
        run = work(start())
        assert (run.state, run.verdicts.filter(accepted=True).count(), run.spent) == (
            State.FINISHED,
            ANSWERS,
            0,
        )
        assert [served.model for served in get_progress(run=run, at=now()).served] == ["writer"]

    def test_name_the_model_and_its_files(self, start: Start) -> None:
        first = start()
        assert f"|api:{LOCAL}" in first.signature
        assert f"|model:writer|weights:{revision_of('writer')}" in first.signature
        assert start(says=(NO,)).signature != first.signature

    def test_repeat_no_reply_of_other_weights(self, start: Start) -> None:
        work(start())
        run = work(start(says=(NO,)))
        assert run.verdicts.filter(accepted=False).count() == ANSWERS
        assert not Call.objects.filter(run=run, is_cache_hit=True).exists()

    def test_pause_where_the_weights_were_replaced_meanwhile(self, start: Start) -> None:
        run = start()
        start(says=(NO,))
        assert (work(run).state, run.message, run.verdicts.count()) == (State.PAUSED, CONNECTION_CHANGED, 0)

    def test_repeat_no_reply_of_weights_that_were_replaced_during_a_run(
        self, start: Start, study: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = start()
        other = save_writer(tmp_path / "other", says=(NO,), longest=5_000)
        complete = client.ModelClient.complete

        def ask_and_replace(*given: Any, **named: Any) -> Completion:
            # Once loaded, the old model goes on replying.
            completion = complete(*given, **named)
            shutil.rmtree(tmp_path / "writer")
            shutil.copytree(other, tmp_path / "writer")
            return completion

        with monkeypatch.context() as patched:
            patched.setattr(client.ModelClient, "complete", ask_and_replace)
            assert work(run).verdicts.filter(accepted=True).count() == ANSWERS
        again = {"options": {"max_tokens": 100}, "connection_id": study.connections.get().public_id}
        later = work(start_run(project=study, judge_key="llm", **again))
        assert later.pk != run.pk
        assert later.verdicts.filter(accepted=False).count() == ANSWERS

    def test_pause_where_the_folder_disappears(
        self, start: Start, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = start()
        open_client = client.open_client

        def open_and_lose(connection: Connection) -> client.ModelClient:
            opened = open_client(connection)
            settings.ASSAY_LOCAL_MODELS = ["writer=/nowhere"]
            return opened

        monkeypatch.setattr(client, "open_client", open_and_lose)
        assert work(run).state == State.PAUSED
        assert "local model “writer” cannot be read" in run.message

    def test_have_no_verdict_where_the_prompt_is_too_long(self, start: Start) -> None:
        run = work(start(longest=20))
        assert run.verdicts.count() == 0
        (failure,) = get_progress(run=run, at=now()).failures
        assert "accepts at most 20 tokens" in failure.reason
        assert failure.count == ANSWERS

    def test_have_no_verdict_where_the_reply_is_cut_off(self, start: Start) -> None:
        run = work(start(max_tokens=1))
        assert set(run.verdicts.values_list("accepted", "unscored_reason")) == {(None, "truncated")}

    def test_need_no_prices_in_an_organization_with_a_limit(self, start: Start, study: Project) -> None:
        lab = create_organization(slug="lab", name="The lab", owner=study.created_by)
        Project.objects.filter(pk=study.pk).update(organization=lab)
        change_organization(organization=lab, limits={"monthly_spend_cap": 0})
        assert work(start()).state == State.FINISHED
