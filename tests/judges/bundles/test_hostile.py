"""Bundles that somebody damaged or made up are refused by part and line, and leave nothing behind."""

import json
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError
from pytest_django import DjangoDbBlocker

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Project
from judges.bundles.selectors.contents import PART_OF
from judges.bundles.services import restoring
from judges.bundles.services.reading import Bundle, Limits
from judges.bundles.services.restoring import UnusableBundle
from tests.factories import make_user
from tests.judges.bundles.factories import Parts, changed, put_together, restore, sealed, take_apart, write
from tests.world import World


@pytest.fixture(scope="module")
def written(
    made_world: World, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Parts:
    with django_db_blocker.unblock():
        return take_apart(write(made_world.project, tmp_path_factory.mktemp("written") / "whole.zip"))


@pytest.fixture
def parts(written: Parts, world: World, settings: Any, tmp_path: Path) -> Parts:
    settings.DATA_DIR = tmp_path / "data"
    return dict(written)


@pytest.fixture
def by(db: None) -> User:
    return make_user(username="restorer")


def counts() -> dict[str, int]:
    ours = [model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()]
    return {model.__name__: model._base_manager.count() for model in ours}


def refusal(path: Path, by: User, **options: Any) -> str:
    before = counts()
    with pytest.raises(UnusableBundle) as caught:
        restore(path, by=by, **options)
    assert counts() == before
    return caught.value.message.removeprefix("The bundle cannot be restored: ")


def put(name: str, value: Any) -> Callable[[dict[str, Any]], object]:
    return lambda row: row.update({name: value})


ROWS: list[tuple[str, int, Callable[[dict[str, Any]], object], str]] = [
    (
        "answers.jsonl",
        2,
        put("question", 5),
        "answers.jsonl, line 2: “question” must be a whole number from 1 to 4.",
    ),
    ("answers.jsonl", 2, put("question", 0), "answers.jsonl, line 2: “question” must be"),
    ("answers.jsonl", 2, put("question", True), "answers.jsonl, line 2: “question” must be"),
    ("answers.jsonl", 2, put("question", None), "answers.jsonl, line 2: “question” must be"),
    ("answers.jsonl", 1, put("text", "a\0b"), "answers.jsonl, line 1: this is not valid JSON."),
    ("answers.jsonl", 1, put("text", "\ud800"), "answers.jsonl, line 1: this is not valid JSON."),
    ("answers.jsonl", 1, put("text", 7), "answers.jsonl, line 1: “text” must be text."),
    (
        "answers.jsonl",
        1,
        put("wanted", -1),
        "answers.jsonl, line 1: “wanted” must be a whole number from 0 to",
    ),
    (
        "answers.jsonl",
        1,
        put("wanted", 10**30),
        "answers.jsonl, line 1: “wanted” must be a whole number from 0 to",
    ),
    ("answers.jsonl", 1, put("state", "gone"), "answers.jsonl, line 1: “state” must be one of unasked, open"),
    (
        "answers.jsonl",
        1,
        put("is_judgeable", 1),
        "answers.jsonl, line 1: “is_judgeable” must be true or false.",
    ),
    ("answers.jsonl", 1, put("public_id", "../../x"), "answers.jsonl, line 1: “public_id” is not an ID."),
    (
        "answers.jsonl",
        1,
        put("id", 1),
        "answers.jsonl, line 1: this version of Assay does not know the field 'id'.",
    ),
    ("answers.jsonl", 3, lambda row: row.pop("text"), "answers.jsonl, line 3: “text” is missing."),
    (
        "answers.jsonl",
        3,
        put("line", 4),
        "answers.jsonl, line 3: this is not a row, or its “line” is incorrect.",
    ),
    (
        "questions.jsonl",
        1,
        put("sample_probability", float("nan")),
        "questions.jsonl, line 1: this is not valid JSON",
    ),
    ("questions.jsonl", 1, put("tags", {}), "questions.jsonl, line 1: “tags” has an invalid value: "),
    (
        "decisions.jsonl",
        1,
        put("decided_at", "2026-01-01T00:00:00"),
        "decisions.jsonl, line 1: “decided_at” must be a time",
    ),
    (
        "systems.jsonl",
        1,
        put("name", "x" * 201),
        "systems.jsonl, line 1: “name” must have at most 200 characters.",
    ),
    (
        "protocol-versions.jsonl",
        1,
        put("spec", {"labels": 1}),
        "protocol-versions.jsonl, line 1: “spec” is not a protocol.",
    ),
    ("imports.jsonl", 1, put("state", "applying"), "imports.jsonl, line 1: “state” must be one of applied"),
    (
        "run-batches.jsonl",
        1,
        put("candidate_ids", [99]),
        "run-batches.jsonl, line 1: “candidate_ids” must be",
    ),
    ("members.jsonl", 2, put("user", 1), "members.jsonl: the database rejects a row in lines 1 to 5, "),
    (
        "calibration-samples.jsonl",
        1,
        put("newest_answer", 13),
        "calibration-samples.jsonl, line 1: “newest_answer” must be a whole number from 0 to 12.",
    ),
    (
        "connections.jsonl",
        1,
        put("encrypted_key", "x"),
        "connections.jsonl, line 1: this version of Assay does not know",
    ),
]


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


# Rows that say something twice, once by what they point to. The world has no answers to checks, and its
# pre-judged answer has no decision.
ROWS += [
    (f"{part}.jsonl", 1, put(field, number), f"{part}.jsonl: rows contradict each other: {said}.")
    for part, field, number, said in (
        ("predictions", "candidate", 4, "question and candidate__question differ"),
        ("retrieved-passages", "passage", 3, "passage__question and prediction__question differ"),
        ("assignments", "rater", 1, "rater and sheet__rater differ"),
        ("assignments", "sheet", 2, "candidate__question and sheet__question differ"),
        ("judgments", "candidate", 12, "candidate and assignment__candidate differ"),
        ("judgments", "rater", 1, "rater and assignment__rater differ"),
        ("gold-changes", "question", 2, "decision__candidate__question and question differ"),
        ("tagged-items", "question", 4, "candidate__question and question differ"),
    )
]
ROWS += [
    (
        "runs.jsonl",
        1,
        put("judge_key", key),
        "runs.jsonl, line 1: “judge_key” does not name a judge that this version of Assay has",
    )
    for key in ("", "junk")
]
ROWS += [
    (
        "prejudged-answers.jsonl",
        1,
        put("rule_number", number),
        "prejudged-answers.jsonl: an answer names a rule",
    )
    for number in (0, 99)
]
ROWS += [
    (f"{name}.jsonl", 1, put("key", ""), f"{name}.jsonl, line 1: “key” must consist of letters, digits")
    for name in ("tag-sets", "prompts")
]
ROWS += [
    ("decisions.jsonl", 1, put("label", label), "decisions.jsonl: a decision has a label that the project")
    for label in ("", "junk")
]
ROWS += [
    ("project.jsonl", 1, put("slug", slug), "project.jsonl, line 1: “slug” must consist of letters")
    for slug in ("x/../../../evil/own", "a b", "..", "új", "<b>", "")
]
ROWS += [
    ("questions.jsonl", 1, put("public_id", name), "questions.jsonl, line 1: “public_id” is not an ID.")
    for name in ("٣٣", "é", "new", "", "abcdefghjkmnp1", "ABCDEFGHJKMNPQ")
]
ROWS += [
    (
        "questions.jsonl",
        1,
        put("sample_stratum", stratum),
        "questions.jsonl, line 1: “sample_stratum” must be a whole number from 0 to 32767.",
    )
    for stratum in (-1, 32_768, 60_000_000, 2**63 - 1)
]
ROWS += [
    ("project.jsonl", 1, put("sample_options", {"x": value}), "project.jsonl, line 1: this is not valid JSON")
    # The row and the field are two levels; 60 are read.
    for value in ("\0", nested(59), nested(900))
]


class TestRows:
    @pytest.mark.parametrize(("name", "line", "change", "words"), ROWS)
    def test_a_row_that_no_study_has(
        self, parts: Parts, by: User, tmp_path: Path, name: str, line: int, change: Any, words: str
    ) -> None:
        path = put_together(changed(parts, name, line, change), tmp_path / "bad.zip")
        assert refusal(path, by).startswith(words)

    @pytest.mark.parametrize(
        "value",
        [b"1e999", b"-1e999", b"[1e400]", b"NaN", b"Infinity", b"9" * 301, b'"a\xed\xa0\x80b"', b'"a\0b"'],
    )
    def test_values_that_no_json_has(self, parts: Parts, by: User, tmp_path: Path, value: bytes) -> None:
        row = parts["project.jsonl"].replace(b'"sample_options": {', b'"sample_options": {"x": ' + value, 1)
        assert b'"sample_options": {}' in parts["project.jsonl"]
        path = put_together(sealed({**parts, "project.jsonl": row}), tmp_path / "bad.zip")
        assert refusal(path, by) == "project.jsonl, line 1: this is not valid JSON."

    def test_lines_in_another_encoding(self, parts: Parts, by: User, tmp_path: Path) -> None:
        line = parts["project.jsonl"].decode().encode("utf-16-be")
        path = put_together(sealed({**parts, "project.jsonl": line}), tmp_path / "bad.zip")
        assert refusal(path, by).startswith("project.jsonl, line 1: ")

    def test_a_line_that_takes_more_memory_than_there_is(
        self, parts: Parts, by: User, tmp_path: Path
    ) -> None:
        line = b'{"line": 1, "name": [' + b"[]," * 2_000_000 + b"[]]}\n"
        path = put_together(sealed({**parts, "people.jsonl": line}), tmp_path / "bad.zip")
        assert path.stat().st_size < 100_000
        assert refusal(path, by) == "people.jsonl, line 1: the line is longer than 5,000,000 bytes."

    def test_no_more_bytes_are_held_than_so_many(
        self, parts: Parts, by: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(restoring, "BYTES_AT_ONCE", 300)
        path = put_together(parts, tmp_path / "whole.zip")
        with path.open("rb") as file:
            bundle = Bundle(file, limits=restoring.LIMITS_OF_PAGE)
            chunks = list(restoring._Columns(PART_OF[Candidate], bundle).chunks())
        assert [number for chunk in chunks for number, _ in chunk] == list(range(1, 13))
        assert max(map(len, chunks)) <= 2
        restore(path, by=by)

    def test_what_the_database_alone_refuses_of_a_project(
        self, parts: Parts, by: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is no taken address: another one would be tried for ever."""

        def refuse(*_: object, **__: object) -> None:
            raise IntegrityError("CHECK constraint failed")

        monkeypatch.setattr(Project, "save", refuse)
        path = put_together(changed(parts, "project.jsonl", 1, put("slug", "free")), tmp_path / "bad.zip")
        assert refusal(path, by) == "project.jsonl, line 1: the database rejects this row."

    def test_ids_that_somebody_took_meanwhile(
        self, parts: Parts, by: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As when the same bundle is restored three times at once."""
        check, asked = restoring._Check.renaming, []

        def miss(self: Any) -> Any:
            asked.append(self)
            return None if len(asked) == 1 else check(self)

        monkeypatch.setattr(restoring._Check, "renaming", miss)
        project = restore(put_together(parts, tmp_path / "whole.zip"), by=by)
        assert len(asked) == 2
        assert project.questions.count() == 4


class TestParts:
    def test_changed_without_the_manifest(self, parts: Parts, by: User, tmp_path: Path) -> None:
        data = parts["judgments.jsonl"].replace(b'"label": "correct"', b'"label": "corrupt"', 1)
        path = put_together({**parts, "judgments.jsonl": data}, tmp_path / "bad.zip")
        assert refusal(path, by) == (
            "judgments.jsonl: the SHA-256 differs from the manifest’s, so the part has been changed."
        )

    def test_lines_lost_or_added(self, parts: Parts, by: User, tmp_path: Path) -> None:
        lines = parts["answers.jsonl"].splitlines(keepends=True)
        less = put_together({**parts, "answers.jsonl": b"".join(lines[:-1])}, tmp_path / "less.zip")
        assert refusal(less, by) == "answers.jsonl: the part is smaller than the manifest says."
        more = put_together({**parts, "answers.jsonl": b"".join([*lines, lines[0]])}, tmp_path / "more.zip")
        assert refusal(more, by) == "answers.jsonl, line 13: the part is larger than the manifest says."
        gone = {name: data for name, data in parts.items() if name != "answers.jsonl"}
        assert refusal(put_together(gone, tmp_path / "gone.zip"), by).startswith(
            "answers.jsonl: the part is smaller"
        )

    def test_cut_in_the_middle_of_a_line(self, parts: Parts, by: User, tmp_path: Path) -> None:
        bad = {**parts, "systems.jsonl": parts["systems.jsonl"][:-5]}
        words = "systems.jsonl, line 3: the part ends in the middle of a line."
        assert refusal(put_together(bad, tmp_path / "bad.zip"), by) == words

    def test_two_studies_in_one(self, parts: Parts, by: User, tmp_path: Path) -> None:
        two = sealed({**parts, "project.jsonl": parts["project.jsonl"] * 2})
        assert refusal(put_together(two, tmp_path / "two.zip"), by) == (
            "project.jsonl: a bundle must contain exactly one project."
        )

    def test_a_newer_version(self, parts: Parts, by: User, tmp_path: Path) -> None:
        newer = {**json.loads(parts["manifest.json"]), "format_version": 2}
        path = put_together({**parts, "manifest.json": json.dumps(newer).encode()}, tmp_path / "new.zip")
        assert refusal(path, by).startswith("manifest.json: a newer version of Assay wrote this bundle")

    def test_a_manifest_without_end(self, parts: Parts, by: User, tmp_path: Path) -> None:
        path = put_together({**parts, "manifest.json": b" " * 1_000_001}, tmp_path / "bad.zip")
        assert refusal(path, by) == "manifest.json: the manifest is too long."

    @pytest.mark.parametrize("text", [b"", b"[]", b"{", b"{}", b'{"format": "assay-bundle"}', b"[" * 100_000])
    def test_a_manifest_that_is_none(self, parts: Parts, by: User, tmp_path: Path, text: bytes) -> None:
        path = put_together({**parts, "manifest.json": text}, tmp_path / "bad.zip")
        assert refusal(path, by).startswith("manifest.json: ")


class TestZip:
    @pytest.mark.parametrize("data", [b"", b"PK", b"not a zip file at all", b"PK\x05\x06" + b"\0" * 18])
    def test_no_bundle_at_all(self, by: User, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "bad.zip"
        path.write_bytes(data)
        assert "this is not a" in refusal(path, by)

    @pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "x.jsonl", "answers.jsonl/", "C:\\evil"])
    def test_an_entry_that_no_bundle_has(self, parts: Parts, by: User, tmp_path: Path, name: str) -> None:
        path = put_together({**parts, name: b"x"}, tmp_path / "bad.zip")
        assert "has an unexpected entry" in refusal(path, by)
        assert not (tmp_path.parent / "evil").exists()

    def test_the_same_entry_twice(self, parts: Parts, by: User, tmp_path: Path) -> None:
        path = put_together(parts, tmp_path / "bad.zip")
        with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("answers.jsonl", b"")
        assert refusal(path, by) == "the zip file has the same entry twice."

    def test_bits_turned_anywhere(self, parts: Parts, by: User, tmp_path: Path) -> None:
        whole = put_together(parts, tmp_path / "whole.zip").read_bytes()
        path = tmp_path / "bad.zip"
        for place in range(0, len(whole), max(1, len(whole) // 150)):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            # What is no data may be turned: a time of the zip file, or the text for those who read it.
            with suppress(UnusableBundle):
                restore(path, by=by)

    def test_a_file_that_was_cut(self, parts: Parts, by: User, tmp_path: Path) -> None:
        whole = put_together(parts, tmp_path / "whole.zip").read_bytes()
        path = tmp_path / "bad.zip"
        for place in range(0, len(whole), max(1, len(whole) // 20)):
            path.write_bytes(whole[:place])
            refusal(path, by)

    def test_one_that_unpacks_to_more_than_it_says(self, parts: Parts, by: User, tmp_path: Path) -> None:
        bomb = {**parts, "verdicts.jsonl": b'{"line": 1, "raw_reply": "' + b"a" * 4_900_000 + b'"}\n'}
        path = put_together(bomb, tmp_path / "bomb.zip")
        assert path.stat().st_size < 200_000
        assert refusal(path, by) == "verdicts.jsonl, line 1: the part is larger than the manifest says."

    def test_one_that_says_that_it_is_too_large(self, parts: Parts, by: User, tmp_path: Path) -> None:
        path = put_together(parts, tmp_path / "large.zip")
        assert "more than the 10 rows" in refusal(path, by, limits=Limits(rows=10, bytes=10**9))
        assert "or 1,000 bytes that this server accepts" in refusal(
            path, by, limits=Limits(rows=10**6, bytes=1000)
        )

    @pytest.mark.parametrize(
        ("size", "before"), [(46_000_000, b""), (0, struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1))]
    )
    def test_a_list_of_a_million_entries(self, by: User, tmp_path: Path, size: int, before: bytes) -> None:
        """Said at the end of the file, or in a record of files beyond 2 GB."""
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, size, 0, 0)
        path = tmp_path / "bad.zip"
        path.write_bytes(b"\0" * 1000 + before + end)
        assert "its list of entries differs from the one that Assay writes" in refusal(path, by)

    @pytest.mark.parametrize("entry", [b"manifest.json", b"people.jsonl"])
    def test_one_that_asks_for_a_password(self, parts: Parts, by: User, tmp_path: Path, entry: bytes) -> None:
        data = bytearray(put_together(parts, tmp_path / "bad.zip").read_bytes())
        for signature, flags, name in ((b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)):
            place = data.index(entry) if name == 30 else data.rindex(entry)
            assert data[place - name : place - name + 4] == signature
            data[place - name + flags] |= 1
        (tmp_path / "bad.zip").write_bytes(data)
        assert "damaged" in refusal(tmp_path / "bad.zip", by)


class TestPeople:
    def test_no_account_of_this_server_is_taken_for_somebody_of_a_file(
        self, parts: Parts, by: User, tmp_path: Path
    ) -> None:
        known = User.objects.get(username="lead-own")
        project = restore(put_together(parts, tmp_path / "whole.zip"), by=by)
        assert not project.members.filter(user=known).exists()
        assert project.created_by != known
        others = User.objects.filter(memberships__project=project).exclude(pk=by.pk)
        assert others.count() == 5
        assert not others.filter(is_active=True).exists()
        assert not any(other.has_usable_password() for other in others)
        assert not others.filter(username__in=["annotator-own", "lead-own"]).exists()

    def test_files_of_this_server_are_out_of_reach(self, parts: Parts, by: User, tmp_path: Path) -> None:
        file = {"name": "x", "size": 1, "path": "/etc/passwd", "sha256": ""}
        path = put_together(changed(parts, "imports.jsonl", 1, put("files", [file])), tmp_path / "bad.zip")
        project = restore(path, by=by)
        assert [each["path"] for made in project.imports.all() for each in made.files] == [""]


def test_all_or_nothing(parts: Parts, by: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put_together(parts, tmp_path / "whole.zip")
    before = counts()

    def die(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(restoring._Restore, "_require_agreement", die)
    with pytest.raises(OSError, match="full"):
        restore(path, by=by)
    assert counts() == before


def test_nothing_secret_leaves(world: World, tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "data"
    project = world.project
    User.objects.filter(username="lead-own").update(email="secret@mail.test")
    project.connections.update(encrypted_key="SECRETKEY", key_last_four="EKEY")
    text = b"".join(take_apart(write(project, tmp_path / "b.zip")).values())
    tokens = User.objects.get(username="lead-own").api_tokens.values_list("secret_hash", flat=True)
    links = project.invitations.values_list("token_hash", flat=True)
    passwords = User.objects.values_list("password", flat=True)
    assert tokens
    assert links
    for secret in ("secret@mail.test", "SECRETKEY", "EKEY", *tokens, *links, *passwords):
        assert secret.encode() not in text


def test_a_bundle_of_before_a_table_or_a_field_was_there(parts: Parts, by: User, tmp_path: Path) -> None:
    manifest = json.loads(parts["manifest.json"])
    manifest["parts"] = [part for part in manifest["parts"] if part["name"] != "answer-views.jsonl"]
    older = {name: data for name, data in parts.items() if name != "answer-views.jsonl"}
    older = changed(
        {**older, "manifest.json": json.dumps(manifest).encode()},
        "answers.jsonl",
        1,
        lambda row: row.pop("goes_first"),
    )
    project = restore(put_together(older, tmp_path / "older.zip"), by=by)
    assert project.candidates.order_by("pk")[0].goes_first is False


def test_a_connection_of_before_there_were_several_apis_speaks_openais(
    parts: Parts, by: User, tmp_path: Path
) -> None:
    older = changed(parts, "connections.jsonl", 1, lambda row: row.pop("api"))
    project = restore(put_together(older, tmp_path / "older.zip"), by=by)
    assert [connection.api for connection in project.connections.all()] == ["openai"]


@pytest.mark.parametrize("api", ["telepathy", "anthropic"])
def test_a_connection_that_no_api_can_have_is_refused(
    parts: Parts, by: User, tmp_path: Path, api: str
) -> None:
    impossible = changed(
        parts, "connections.jsonl", 1, lambda row: row.update(api=api, endpoint="completion")
    )
    assert "connections.jsonl" in refusal(put_together(impossible, tmp_path / "odd.zip"), by)
