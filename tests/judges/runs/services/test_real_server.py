"""A run asks a real server through the real client, with worked examples from another study."""

import pytest
from django.conf import LazySettings

from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.connections.services.changes import change_connection, create_connection
from judges.prompts.models import ExampleSet
from judges.prompts.selectors import CONNECTION_CHANGED
from judges.runs.models import Call, JudgeRun
from judges.runs.services import control
from tests.factories import make_project
from tests.judges.prompts.conftest import decide_all
from tests.judges.runs.conftest import add_question
from tests.judges.runs.services.conftest import work


@pytest.fixture
def connection(study: Project, tiny_server: str, settings: LazySettings) -> Connection:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]
    return create_connection(
        project=study,
        by=study.created_by,
        name="tiny",
        base_url=tiny_server,
        model="tiny",
        input_price=1_000,
        output_price=1_000,
        parallel_calls=1,
        timeout_seconds=30,
    )


def start(connection: Connection, **options: object) -> JudgeRun:
    return control.start_run(
        project=connection.project,
        judge_key="llm",
        options=options,
        connection_id=connection.public_id,
        started_by=connection.created_by,
    )


class TestRun:
    def test_gets_a_verdict_of_the_closed_set_for_each_answer(self, connection: Connection) -> None:
        run = work(start(connection))
        assert run.state == JudgeRun.State.FINISHED, run.message
        assert run.verdicts.count() == 5
        reasons = set(run.verdicts.filter(accepted=None).values_list("unscored_reason", flat=True))
        assert reasons <= {"abstained"}
        assert run.spent > 0
        assert set(Call.objects.values_list("model", flat=True)) != {""}

    def test_leaves_unscored_what_babble_does_not_say(self, connection: Connection) -> None:
        run = work(start(connection, prompt="kamalloo", max_tokens=4))
        reasons = set(run.verdicts.values_list("accepted", "unscored_reason"))
        assert reasons == {(None, "truncated")}

    def test_shows_the_examples_that_its_signature_names(self, connection: Connection) -> None:
        other = make_project(lead=connection.created_by, slug="other")
        for number in range(5):
            add_question(other, f"question {number}", golds=[f"gold {number}"], answers=[f"answer {number}"])
        decide_all(other)
        run = work(start(connection, prompt="evouna-in-context", examples_project="other", max_tokens=3))
        assert run.state == JudgeRun.State.FINISHED, run.message
        assert f"|examples_hash:{ExampleSet.objects.get().hash}|" in run.signature

    def test_pauses_when_its_connection_leads_to_another_model(self, connection: Connection) -> None:
        run = start(connection)
        change_connection(
            project=connection.project, public_id=connection.public_id, changes={"model": "another"}
        )
        run = work(run)
        assert (run.state, run.message) == (JudgeRun.State.PAUSED, CONNECTION_CHANGED)
        assert run.verdicts.count() == 0
