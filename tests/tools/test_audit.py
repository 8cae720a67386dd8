"""`make audit` passes only if everything was looked up, whatever the tools behind it say."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.locks import audit

Tools = Callable[..., None]
KNOWN = {"id": "PYSEC-1", "fix_versions": ["2.1"]}
NODE = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 7}}}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    """Let pip-audit and npm reply as given; what is given for Python holds for each package."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))

    def give(*, python: dict[str, object] | None = None, node: object = NODE, says: str = "") -> None:
        reply = "print('unreachable', file=sys.stderr)\nsys.exit(1)" if python is None else PYTHON
        (tmp_path / "pip_audit.py").write_text(
            f"import json, sys\nOF_EACH = {python!r}\n{reply}", encoding="utf-8"
        )
        npm = tmp_path / "npm"
        text = json.dumps(node) if node else ""
        npm.write_text(f"#!/bin/sh\necho '{text}'\necho '{says}' >&2\n", encoding="utf-8")
        npm.chmod(0o755)

    return give


# pip-audit exits with 0 also if it looked up nothing.
PYTHON = """
lines = [line.strip().split("==") for line in open(sys.argv[-1])]
found = [{"name": name, "version": version, **OF_EACH} for name, version in lines]
print(json.dumps({"dependencies": found}))
"""


class TestLocked:
    def test_lists_each_version_once_for_all_machines(self, tmp_path: Path) -> None:
        (tmp_path / "core.txt").write_text(
            "Django==5.2 \\\n    --hash=sha256:0\n    # via x==1\nuvicorn[standard]==1 ; os_name == 'nt'\n",
            encoding="utf-8",
        )
        (tmp_path / "dev.txt").write_text("django==5.1\nuvicorn==1\n", encoding="utf-8")
        (tmp_path / "wheels.txt").write_text("six==0\n", encoding="utf-8")
        assert audit.locked(tmp_path, further=["torch==3"]) == [
            ["django==5.1", "torch==3", "uvicorn==1"],
            ["django==5.2"],
        ]

    def test_finds_the_packages_of_our_locks(self) -> None:
        found = {
            line.partition("==")[0] for part in audit.locked(audit.ROOT / "requirements") for line in part
        }
        assert {
            "django",
            "transformers",
            "pyarrow",
            "anthropic",
            "google-genai",
            "mypy",
            "pip-audit",
        } <= found


class TestAudit:
    def test_passes_if_all_is_looked_up_and_nothing_known(
        self, tools: Tools, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tools(python={"vulns": []})
        assert audit.main([]) == 0
        assert "Node: 7 packages looked up. Known vulnerabilities: 0." in capsys.readouterr().out

    def test_names_what_is_known(self, tools: Tools, capsys: pytest.CaptureFixture[str]) -> None:
        tools(
            python={"vulns": [KNOWN]},
            node={**NODE, "vulnerabilities": {"vite": {"severity": "high", "range": "<7.0.1"}}},
        )
        assert audit.main(["torch==3"]) == audit.FOUND
        said = capsys.readouterr().out
        assert "Python: torch 3: PYSEC-1, fixed in 2.1" in said
        assert "Node: vite: high, <7.0.1" in said

    def test_does_not_pass_if_packages_are_skipped(
        self, tools: Tools, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tools(python={"skip_reason": "not found on PyPI"})
        assert audit.main([]) == audit.NOT_LOOKED_UP
        assert "The first reason: not found on PyPI" in capsys.readouterr().out

    def test_does_not_pass_if_packages_are_missing_from_the_reply(
        self, tools: Tools, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tools(python={"vulns": []})
        (tmp_path / "pip_audit.py").write_text("print('{\"dependencies\": []}')", encoding="utf-8")
        assert audit.main([]) == audit.NOT_LOOKED_UP
        assert "packages are missing from the reply" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("node", "says", "reason"),
        [
            ({"message": "405 Method Not Allowed", "error": {}}, "", "405 Method Not Allowed"),
            (None, "npm error network ENOTFOUND", "npm error network ENOTFOUND"),
            ({}, "", "No reason was given."),
        ],
    )
    def test_does_not_pass_if_a_list_is_not_reachable(
        self, tools: Tools, capsys: pytest.CaptureFixture[str], node: object, says: str, reason: str
    ) -> None:
        tools(node=node, says=says)
        assert audit.main([]) == audit.NOT_LOOKED_UP
        said = capsys.readouterr().out
        assert "The first reason: unreachable" in said
        assert f"Node: not reachable: 1. The first reason: {reason}" in said

    def test_does_not_pass_without_the_tools(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert audit.node_result(tmp_path) == audit.Result(reasons=("npm: No such file or directory",))
