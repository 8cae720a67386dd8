"""Write which wheels the core packages have: `python tools/locks/wheels.py PYLOCK > requirements/wheels.txt`.

Where one lacks a wheel, an installation needs a compiler; tests/tools/test_wheels.py reads the list.
"""

import sys
import tomllib
from pathlib import Path

from packaging.utils import parse_wheel_filename

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# The beginnings and ends of a platform's tags. Debian 11 has glibc 2.31, macOS on ARM began with 11.
MACHINES: dict[str, tuple[str, tuple[str, ...]]] = {
    "Linux x86-64": ("manylinux", ("_x86_64",)),
    "Linux ARM": ("manylinux", ("_aarch64",)),
    "macOS ARM": ("macosx", ("_arm64", "_universal2")),
}
NEWEST_GLIBC = 31
NEWEST_MACOS = 14


def fits(file_name: str, *, machine: str, python: str) -> bool:
    """Say whether a wheel can be installed there."""
    return any(
        _fits_python(tag.interpreter, tag.abi, python) and _fits_machine(tag.platform, machine)
        for tag in parse_wheel_filename(file_name)[3]
    )


def _fits_python(interpreter: str, abi: str, python: str) -> bool:
    own = "cp" + python.replace(".", "")
    if abi == "abi3":
        return interpreter.startswith("cp3") and int(interpreter[3:]) <= int(own[3:])
    return (
        interpreter in {"py3", own.replace("cp", "py")} if abi == "none" else (interpreter, abi) == (own, own)
    )


def _fits_machine(platform: str, machine: str) -> bool:
    begins, ends = MACHINES[machine]
    if platform == "any":
        return True
    if not (platform.startswith(begins) and platform.endswith(ends)):
        return False
    version = [int(part) for part in platform.split("_")[1:3] if part.isdigit()]
    if begins == "macosx":
        return version[0] <= NEWEST_MACOS
    # manylinux1, 2010 and 2014 name no version of glibc; all of theirs are old.
    return len(version) < 2 or version[1] <= NEWEST_GLIBC


def main() -> None:
    """Print hash, bytes and name of every wheel for a machine that we promise."""
    for package in tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["packages"]:
        for wheel in package.get("wheels", []):
            name = wheel["url"].rsplit("/", 1)[-1]
            if any(fits(name, machine=machine, python=python) for machine in MACHINES for python in PYTHONS):
                print(wheel["hashes"]["sha256"], wheel["size"], name)


if __name__ == "__main__":
    main()
