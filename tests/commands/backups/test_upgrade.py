"""A server of the oldest release, 0.1.0, becomes one of this version with everything that was in it.

`release-0.1.0.zip` is the demo of the code that was released as 0.1.0, with runs of two judges, saved at the
state of its migrations. The hashes are of the files that this release itself exported.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.backups.servers import Server, server_without_tables
from tests.judges.bundles.factories import take_apart

pytestmark = pytest.mark.services

RELEASED = Path(__file__).parent / "release-0.1.0.zip"
EXPORTED = {
    "demo": {
        "efficientqa-gold": "6702a648af2a0f7ffe519599aa5dc8fb7002b47eb68337394f865f2d81af782d",
        "judgments-csv": "741c7fc67cb6bc956f6752173c008a4ec055916c6d3d4dd8d55bce572ca8ed7c",
        "judgments-jsonl": "a1b7ab1baa04af93022d752871bfbc7349e5baa333b4098a138a36789a62b154",
        "openqa-eval-gold": "e4183f5d90844fd244bdcfb943c34078ae7262afbd6ea3f3109aedb9f6b606e1",
        "openqa-eval-votes": "c1aa99b94b76f49dcfa263577be0fbcfc9f36b9437d5989b6f54fd42a5e1975a",
        "votes-csv": "843de968f536d3e1e438a8071160c701598e790f75db492731dda72229c273d8",
        "votes-jsonl": "251f19d633b5d5da8e0e8a617248e2bd7290b27c639eb0d8bb8ff44c13561baa",
        "votes-wide-csv": "be00db94dec346a13fc6d67d1d9fda95258c88910325fd8b88c34842bb9941f9",
    },
    "demo-decided": {
        "efficientqa-gold": "8c58c67829d41faab146aff25239be00db7c91dc27effc9d3788e08c9a69ee85",
        "judgments-csv": "4e804431829da524576a852afd238af78025b9b61155a0c45172b77ba2243462",
        "judgments-jsonl": "de9511c79f7868619da4e1a05a34f491b05389ba540e1eb393c3af0380190253",
        "openqa-eval-gold": "9fc82c891a4ee276354f85ef9f65c7f6a251c02eae64da589c047704e76e378b",
        "openqa-eval-votes": "0b27506a1e5885832490c6f8d43a9b0db07ca447f36ef7b2e9e096cc717f2a56",
        "votes-csv": "136c5febdfb929fea5426045a7bac82349f88803efea988b7337f9baa07b8df3",
        "votes-jsonl": "f4f353d334d38c47a1d8adba80d707a9d22c8ab20334f32ba9f13b30e1940a82",
        "votes-wide-csv": "f18d5f0f5d6dd3d3bb2b961ea42654362e2b47a1069cc85735e010bafa0ffe8b",
    },
}


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server_without_tables(tmp_path_factory.mktemp("upgraded"), "upgraded") as server:
        told = server.manage("restore", str(RELEASED))
        assert "Restored: 5,608 rows and 16 stored files" in told
        yield server


class TestUpgraded:
    def test_has_the_tables_of_this_version(self, upgraded: Server) -> None:
        assert "tables up to date" in upgraded.start("manage.py", "doctor").communicate()[0]

    def test_exports_the_same_files(self, upgraded: Server, tmp_path: Path) -> None:
        exports = upgraded.exports(tmp_path)
        found = {project: {key: exports[project][key] for key in kept} for project, kept in EXPORTED.items()}
        assert found == EXPORTED

    def test_shows_numbers_that_its_votes_come_to(self, upgraded: Server) -> None:
        for slug in EXPORTED:
            assert "0 differences" in upgraded.manage("verify", "--project", slug)

    def test_is_backed_up_with_every_row_that_it_had(self, upgraded: Server, tmp_path: Path) -> None:
        path = tmp_path / "backup.zip"
        upgraded.manage("backup", str(path))
        now, then = take_apart(path), take_apart(RELEASED)
        counts = {
            name: (data.count(b"\n"), now[name].count(b"\n"))
            for name, data in then.items()
            if name.startswith(("rows/annotation", "rows/judges"))
        }
        assert {name: both for name, both in counts.items() if both[0] > both[1]} == {}
