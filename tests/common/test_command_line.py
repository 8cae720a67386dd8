from pathlib import Path
from typing import Any

import pytest

from common.web.starting import start_of_background, start_of_commands


class TestStartOfCommands:
    @pytest.fixture(autouse=True)
    def _installed(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.BASE_DIR = Path("/srv/assay")
        settings.DATA_DIR = Path("/srv/assay/data/demo")
        monkeypatch.setattr("sys.executable", "/srv/assay/.venv/bin/python")
        monkeypatch.delenv("ASSAY_DATA", raising=False)

    def test_names_the_environment_of_the_installation(self) -> None:
        assert start_of_commands() == ".venv/bin/python manage.py"

    def test_names_the_data_where_they_are_not_the_usual_ones(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_DATA", "data/demo")
        assert start_of_commands() == "ASSAY_DATA=data/demo .venv/bin/python manage.py"

    def test_paths_elsewhere_stand_in_full_and_quoted(
        self, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ASSAY_DATA", "anything")
        settings.DATA_DIR = Path("/mnt/our data")
        assert start_of_commands() == "ASSAY_DATA='/mnt/our data' .venv/bin/python manage.py"

    def test_a_python_elsewhere_is_the_one_on_the_path(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.executable", "/usr/bin/python3")
        assert start_of_commands() == "python manage.py"


class TestStartOfBackground:
    @pytest.fixture(autouse=True)
    def _installed(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.BASE_DIR = Path("/srv/assay")
        settings.DATA_DIR = Path("/srv/assay/data/run")
        monkeypatch.setattr("sys.executable", "/srv/assay/.venv/bin/python")
        for name in ("ASSAY_DATA", "DATABASE_URL", "REDIS_URL", "ASSAY_STARTED_WITH"):
            monkeypatch.delenv(name, raising=False)

    @pytest.mark.parametrize(
        ("environment", "folder", "command"),
        [
            ({"ASSAY_STARTED_WITH": "make run"}, "data/run", "make run"),
            ({"ASSAY_STARTED_WITH": "make demo", "ASSAY_DATA": "data/demo"}, "data/demo", "make demo"),
            (
                {"ASSAY_STARTED_WITH": "make run", "ASSAY_DATA": "x"},
                "our data",
                "ASSAY_DATA=… make run",
            ),
            (
                {
                    "ASSAY_STARTED_WITH": "make run",
                    "DATABASE_URL": "postgres://u:secret@h/d",
                    "REDIS_URL": "redis://h",
                },
                "data/run",
                "DATABASE_URL=… REDIS_URL=… make run",
            ),
            (
                {
                    "ASSAY_STARTED_WITH": "docker compose up --detach",
                    "ASSAY_DATA": "/data",
                    "REDIS_URL": "redis://h",
                },
                "/data",
                "docker compose up --detach",
            ),
            (
                {"REDIS_URL": "redis://h"},
                "data/run",
                "REDIS_URL=… .venv/bin/python -m celery --app config worker --beat",
            ),
        ],
    )
    def test_fits_how_the_server_was_started(
        self,
        settings: Any,
        monkeypatch: pytest.MonkeyPatch,
        environment: dict[str, str],
        folder: str,
        command: str,
    ) -> None:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        settings.DATA_DIR = Path("/srv/assay") / folder
        assert start_of_background() == command
