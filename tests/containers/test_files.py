"""Compose would take its file, and a build would find what the Dockerfile copies."""

import os
import re
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
    @pytest.mark.parametrize(
        "file", [compose.FILE, compose.HTTPS, compose.NEURAL], ids=lambda file: file.name
    )
    def test_follows_the_specification(self, file: Path) -> None:
        done = check(file)
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
        places = [volume for each in services().values() for volume in each.get("volumes", ())]
        # What begins with a slash has no name, and goes with its container.
        used = {place.partition(":")[0] for place in places if not place.startswith("/")}
        assert used == set(compose.read(compose.example(**SECRETS))["volumes"])

    def test_our_containers_write_only_where_they_must_and_have_no_rights_of_roots(self) -> None:
        ours = {name: each for name, each in services().items() if each["image"] == "assay"}
        assert set(ours) == {"migrate", "web", "worker", "sweeper"}
        for each in ours.values():
            assert (each["read_only"], each["cap_drop"]) == (True, ["ALL"])
            assert each["security_opt"] == ["no-new-privileges:true"]
            assert [volume.rpartition(":")[2] for volume in each["volumes"]] == ["/data", "/tmp"]


def behind_https(**variables: str) -> dict[str, Any]:
    found: dict[str, Any] = compose.read(
        compose.example(**{**SECRETS, "ASSAY_DOMAIN": "qa.example.org", **variables}),
        compose.FILE,
        compose.HTTPS,
    )
    return found


# HSTS for names below, and browsers' lists of such names: only who owns them can say.
OF_OTHER_NAMES = {"W005", "W021"}


def warnings(environment: dict[str, str], *, folder: Path) -> set[str]:
    """Return what Django says of the security of an installation, in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"],
        cwd=image.ROOT,
        env={**environment, "ASSAY_DATA": str(folder), "PATH": os.environ["PATH"], "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(re.findall(r"security\.(\w+)", done.stderr))


class TestHttps:
    def test_asks_for_the_name(self) -> None:
        with pytest.raises(compose.Missing, match="ASSAY_DOMAIN"):
            compose.read(compose.example(**SECRETS), compose.FILE, compose.HTTPS)

    @pytest.mark.parametrize("name", ["migrate", "web", "worker", "sweeper"])
    def test_our_processes_accept_what_it_sets(self, name: str, tmp_path: Path) -> None:
        own = {"ASSAY_HSTS_SECONDS": "31536000", "SECRET_KEY": "9b" * 40 + "-different-letters"}
        without = compose.read(compose.example(**SECRETS | own))["services"][name]["environment"]
        behind = behind_https(**own)["services"][name]["environment"]
        # Redirects, and two sorts of cookies.
        assert warnings(behind, folder=tmp_path) == OF_OTHER_NAMES
        assert warnings(without, folder=tmp_path) == OF_OTHER_NAMES | {"W008", "W012", "W016"}

    def test_the_proxy_is_the_address_that_the_web_server_trusts(self) -> None:
        found = behind_https()
        proxy, web = found["services"]["proxy"], found["services"]["web"]
        assert proxy["network_mode"] == "service:web"
        assert "127.0.0.1" in web["environment"]["ASSAY_TRUSTED_PROXIES"].split(",")
        assert web["ports"] == ["127.0.0.1:8000:8000", "80:80", "443:443"]
        caddyfile = found["configs"]["caddyfile"]["content"]
        assert "qa.example.org {" in caddyfile
        assert "reverse_proxy 127.0.0.1:8000" in caddyfile

    def test_declares_its_volumes(self) -> None:
        found = behind_https()
        places = [volume.partition(":")[0] for volume in found["services"]["proxy"]["volumes"]]
        assert set(places) <= set(found["volumes"])


class TestNeural:
    def test_is_an_image_of_its_own_for_all_our_processes(self) -> None:
        found = compose.read(compose.example(**SECRETS), compose.FILE, compose.NEURAL)["services"]
        for name in ("migrate", "web", "worker", "sweeper"):
            assert found[name]["image"] == "assay-neural"
            assert "neural" in found[name]["build"]["args"]["EXTRAS"].split()

    def test_takes_the_torch_that_make_takes(self) -> None:
        said = (image.ROOT / "Makefile").read_text(encoding="utf-8")
        (version,) = re.findall(r"^TORCH_VERSION := (.+)$", said, re.M)
        assert [f"TORCH_VERSION={version}"] == [
            each.rest
            for stage in image.stages()
            for each in stage
            if each.word == "ARG" and "VERSION" in each.rest
        ]


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
