"""NQ301 as the command makes it, once for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.projects.models import Project
from commands.reproduction.openqa_eval import reproduce_openqa_eval
from tests.conftest import made_once
from tests.factories import make_user


@pytest.fixture(scope="package")
def folder(data_folder: Path) -> Path:
    return data_folder / "openqa-eval"


@pytest.fixture(scope="package")
def project(folder: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[Project]:
    """The whole study, made once for all tests of this folder and rolled back after them."""

    def make() -> Project:
        return reproduce_openqa_eval(folder=folder, slug="nq301", lead=make_user(username="reproducer"))

    with made_once(django_db_blocker, make) as made:
        yield made


def by_name(rows: list[dict[str, Any]], key: str = "name") -> dict[str, dict[str, Any]]:
    return {row[key]: row for row in rows}
