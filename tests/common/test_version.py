"""The version that reports say."""

import tomllib
from pathlib import Path

from common.identifiers import VERSION


class TestVersion:
    def test_is_the_one_of_the_package(self) -> None:
        project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
        assert project["project"]["version"] == VERSION
