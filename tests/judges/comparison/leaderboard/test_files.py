"""How many of our files a leaderboard goes through that nobody has asked for yet."""

import pytest

from annotation.projects.models import Project
from tests.conftest import ClientOf
from tests.touched import Touched, load_all

MOST = 26


@pytest.mark.usefixtures("all_decided")
def test_a_cold_leaderboard_goes_through_few_files(study: Project) -> None:
    load_all()
    client = ClientOf(study.created_by)
    # The first request of a process loads all addresses.
    client.get("/api/projects/small")
    with Touched() as touched:
        reply = client.get("/api/projects/small/leaderboard")
    assert len(reply.json()["rows"]) == 2
    files = sorted(touched.ours())
    assert len(files) <= MOST, "\n".join(files)
