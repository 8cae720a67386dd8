"""A server that repeats the key it was sent: no row, no page and no log has it (ADR 0013)."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings

from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.connections.services.changes import create_connection
from judges.connections.services.client import try_connection
from judges.runs.models import JudgeRun
from judges.runs.services.control import start_run
from judges.tagging.models import TaggingRound, TagProposal
from judges.tagging.rules.rounds import Filter
from judges.tagging.services import start_round
from tests.conftest import ClientOf
from tests.hostile import Provider
from tests.judges.connections.conftest import KEY
from tests.judges.runs.services.conftest import work
from tests.routes import api_routes
from tests.world import World, make_world

FORMS = [
    KEY,
    KEY.removeprefix("sk-"),
    KEY.upper(),
    b64encode(KEY.encode()).decode(),
    "".join(f"%{ord(sign):02X}" for sign in KEY),
    # A text in JSON, as a proposal of tags is, has it unescaped when it is read.
    "".join(f"\\u{ord(sign):04x}" for sign in KEY),
]


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.tasks._ring", lambda *ring: None)


@pytest.fixture
def world(db: None, settings: LazySettings) -> World:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]
    return make_world(slug="small")


def connect(project: Project, provider: Provider) -> Connection:
    return create_connection(
        project=project,
        by=project.created_by,
        name="repeats",
        base_url=provider.base_url,
        model="m",
        key=KEY,
        parallel_calls=1,
        timeout_seconds=5,
    )


def propose(world: World, connection: Connection) -> JudgeRun:
    """Have a model propose tags."""
    tagging_round = start_round(
        project=world.project,
        by=world.project.created_by,
        name="",
        set_key="kamalloo",
        wanted=Filter(),
        size=None,
        seed=1,
        proposals=TaggingRound.Proposals.SHOWN,
        connection=connection.public_id,
    )
    assert tagging_round.proposer_run is not None
    return work(tagging_round.proposer_run)


def rows() -> Iterator[str]:
    for model in apps.get_models():
        yield from (repr(row) for row in model._default_manager.values())


def pages(world: World, **ids: str) -> Iterator[str]:
    client: Any = ClientOf(world.project.created_by)
    for route in api_routes():
        if "GET" in route.methods and set(route.objects) <= set(world.ids):
            reply = client.get(route.address(slug="small", ids={**world.ids, **ids}))
            # One is a picture.
            yield reply.content.decode(errors="replace")


class TestAKeyThatIsRepeated:
    @pytest.mark.parametrize("step", ["echo", "401", "400"])
    def test_is_in_no_row_on_no_page_and_in_no_log(
        self,
        world: World,
        start_provider: Callable[[str], Provider],
        caplog: pytest.LogCaptureFixture,
        step: str,
    ) -> None:
        caplog.set_level("DEBUG")
        connection = connect(world.project, start_provider(f"{step}:{'+'.join(FORMS)}"))
        terms: dict[str, Any] = {"connection_id": connection.public_id}
        run = work(start_run(project=world.project, judge_key="llm", options={}, **terms))
        proposals = propose(world, connection)
        trial = try_connection(connection=connection)
        said = [
            *rows(),
            *pages(world, runs=run.public_id, connections=connection.public_id),
            repr(trial),
            caplog.text,
        ]
        assert run.calls.exclude(state="reserved").exists()
        assert proposals.calls.exclude(state="reserved").exists()
        assert TagProposal.objects.exclude(reason="").exists() is (step == "echo")
        for text in said:
            assert not [form for form in FORMS if form.lower() in text.lower()]
