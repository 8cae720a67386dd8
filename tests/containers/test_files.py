"""Compose would take its file, and a build would find what the Dockerfile copies."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.containers import compose, image

SECRETS = {"SECRET_KEY": "a long random text", "POSTGRES_PASSWORD": "a password"}
FINAL = {"service_started", "service_healthy", "service_completed_successfully"}


def services() -> dict[str, Any]:
    found: dict[str, Any] = compose.read(compose.example(**SECRETS))["services"]
    return found


def check(file: Path) -> "subprocess.CompletedProcess[str]":
    """Check a file against the compose specification's own schema, which the package ships."""
    return subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )


class TestComposeFile:
    def test_follows_the_specification(self) -> None:
        done = check(compose.FILE)
        assert done.returncode == 0, done.stdout + done.stderr

    @pytest.mark.parametrize(
        ("right", "wrong"),
        [("command:", "comand:"), ("condition: service_healthy", "needs: x")],
    )
    def test_a_mistake_in_it_would_be_found(self, tmp_path: Path, right: str, wrong: str) -> None:
        text = compose.FILE.read_text(encoding="utf-8")
        assert right in text
        copy = tmp_path / "docker-compose.yml"
        copy.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        assert check(copy).returncode == 1

    @pytest.mark.parametrize("name", SECRETS)
    def test_a_secret_that_is_not_filled_in_ends_the_start(self, name: str) -> None:
        with pytest.raises(compose.Missing, match=name):
            compose.read(compose.example(**SECRETS | {name: ""}))

    def test_waits_for_what_can_come(self) -> None:
        for name, service in services().items():
            for other, wait in service.get("depends_on", {}).items():
                awaited = services()[other]
                assert wait["condition"] in FINAL, name
                assert wait["condition"] != "service_healthy" or "healthcheck" in awaited, name
                assert wait["condition"] != "service_completed_successfully" or awaited["restart"] == "no"

    def test_declares_its_volumes(self) -> None:
        used = {
            volume.partition(":")[0] for each in services().values() for volume in each.get("volumes", ())
        }
        assert used == set(compose.read(compose.example(**SECRETS))["volumes"])


class TestDockerfile:
    def test_all_that_it_copies_is_let_in(self) -> None:
        given = image.context()
        wanted = [
            source for stage in image.stages() for sources, _ in image.copies(stage) for source in sources
        ]
        assert len(wanted) > 10
        assert [source for source in wanted if not image.files_of(source, given=given)] == []

    def test_all_our_packages_are_in_the_image(self) -> None:
        ours = {path.parent.name for path in image.ROOT.glob("*/__init__.py")}
        copied = {place.rstrip("/") for _, place in image.copies(image.image())}
        assert ours - copied == {"benchmarks", "tests", "tools"}
