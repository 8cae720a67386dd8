"""What docs/operations.md lets an operator set reaches the containers."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import OperationalError

from commands.management.commands import is_working
from common.clock import now
from judges.runs.selectors.progress import Lack
from judges.runs.services.worker import note_sweep

ROOT = Path(__file__).resolve().parent.parent
# Compose says these itself, they are of a development machine, or of the port that compose publishes.
FIXED = {
    "ASSAY_DATA",
    "ASSAY_FRONTEND",
    "ASSAY_STARTED_WITH",
    "DATABASE_URL",
    "REDIS_URL",
    "DEBUG",
    "HOST",
    "PORT",
}
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
PASSED_ON = COMPOSE["x-assay"]["environment"]


def documented() -> set[str]:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    table = text.split("## Settings", 1)[1].split("\n## ", 1)[0]
    return {
        name for row in re.findall(r"^\| (`[A-Z].*?) \|", table, re.M) for name in re.findall(r"`(\w+)`", row)
    }


def read() -> set[str]:
    sources = [ROOT / "config" / "settings.py", ROOT / "config" / "env.py"]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    return set(re.findall(r'(?:env\.\w+|environ\.get|quota)\(\s*"([A-Z_]+)"', text))


class TestSettings:
    def test_that_are_read_are_documented(self) -> None:
        assert len(read()) > 15
        assert read() - documented() == {"ASSAY_FRONTEND"}

    def test_that_are_documented_are_passed_on(self) -> None:
        assert documented() - FIXED - set(PASSED_ON) == set()
        own = {name for name, value in PASSED_ON.items() if name not in FIXED and f"${{{name}" in value}
        assert documented() - FIXED - own == set()

    def test_that_are_documented_are_in_the_example(self) -> None:
        example = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.M)
        assert documented() - FIXED - set(example) == set()

    def test_a_password_stands_in_no_address(self) -> None:
        assert PASSED_ON["DATABASE_URL"] == "postgres://assay@postgres:5432/assay"
        assert "POSTGRES_PASSWORD" in PASSED_ON["PGPASSWORD"]
        assert COMPOSE["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"] == "${POSTGRES_PASSWORD}"


def is_working_process(name: str) -> bool:
    """Run what a container's health check runs."""
    test = COMPOSE["services"][name]["healthcheck"]["test"]
    assert test[:3] == ["CMD", "python", "manage.py"]
    try:
        call_command(*test[3:])
    except CommandError as error:
        return error.returncode == 0
    return True


class TestHealth:
    def test_every_process_that_goes_on_is_watched(self) -> None:
        watched = {name for name, service in COMPOSE["services"].items() if "healthcheck" in service}
        assert set(COMPOSE["services"]) - watched == {"migrate"}

    @pytest.mark.parametrize("name", ["worker", "sweeper"])
    def test_the_row_that_the_sweeper_renews_says_that_they_work(self, name: str, db: None) -> None:
        cache.clear()
        note_sweep(at=now())
        assert is_working_process(name)

    @pytest.mark.parametrize(
        ("lack", "working"),
        [(Lack.WORKER, []), (Lack.CLOCK, ["worker"]), (Lack.NOTHING, ["worker", "sweeper"])],
    )
    def test_a_late_row_has_them_asked(
        self, lack: Lack, working: list[str], db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        note_sweep(at=now() - timedelta(minutes=1))
        monkeypatch.setattr("judges.runs.selectors.progress._ask_a_worker", lambda: lack)
        found = []
        for name in ("worker", "sweeper"):
            cache.clear()
            found += [name] if is_working_process(name) else []
        assert found == working

    def test_none_works_without_a_database(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail() -> Lack:
            raise OperationalError("could not connect to server db-secret:5432")

        monkeypatch.setattr(is_working, "background_lack", fail)
        assert not is_working_process("worker")
