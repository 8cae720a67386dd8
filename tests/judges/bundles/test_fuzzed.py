"""A restored project breaks no page, whatever was written into its fields."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from django.db import models, transaction

from annotation.accounts.models import User
from judges.bundles.selectors.contents import ALL_PARTS, Part
from judges.bundles.services.restoring import UnusableBundle
from tests.conftest import ClientOf
from tests.factories import make_user
from tests.judges.bundles.factories import Parts, changed, put_together, restore, take_apart, write
from tests.routes import api_routes
from tests.world import make_world

SEED = 7
# Drawn of about 500; ASSAY_FUZZ raises it.
CHANGES = int(os.environ.get("ASSAY_FUZZ", "40"))
JUNK: tuple[Any, ...] = (
    None,
    [],
    {},
    "junk",
    -1,
    5,
    [None],
    [[1]],
    [{"a": 1}],
    {"a": None},
    {"a": {"b": [1]}},
)


PLAIN: dict[type[Any], tuple[Any, ...]] = {
    models.DateTimeField: ("0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00"),
    models.FloatField: (0.0, -1.0, 1e308, 5e-324),
    models.IntegerField: (0, -1, 32_767, 2**31 - 1, 2**63 - 1),
    models.CharField: ("", "junk"),
    models.TextField: ("", "junk"),
}


class Changed(NamedTuple):
    """One field of the first row of a part, with something else in it."""

    part: Part
    field: str
    value: Any


def changes(parts: Parts) -> Iterator[Changed]:
    for part in ALL_PARTS:
        if lines := parts[part.file_name].splitlines():
            row = json.loads(lines[0])
            for column in part.columns:
                for value in instead_of(row[column.name], column):
                    yield Changed(part, column.name, value)


def instead_of(known: Any, column: Any) -> Iterator[Any]:
    if isinstance(column, models.JSONField):
        yield from JUNK
        first = known[0] if isinstance(known, list) and known else known
        for key in first if isinstance(first, dict) else ():
            for junk in JUNK[:5]:
                one = {**first, key: junk}
                yield one if isinstance(known, dict) else [one, *known[1:]]
    for kind, values in PLAIN.items():
        if isinstance(column, kind):
            yield from values


@pytest.fixture
def parts(db: None, settings: Any, tmp_path: Path) -> Parts:
    settings.DATA_DIR = tmp_path / "data"
    return take_apart(write(make_world(slug="own").project, tmp_path / "whole.zip"))


def broken_pages(by: User, slug: str) -> list[str]:
    client = ClientOf(by)
    client.raise_request_exception = False
    routes = [
        each for each in api_routes() if each.is_of_a_project and "GET" in each.methods and not each.objects
    ]
    assert len(routes) > 20
    found = []
    for route in routes:
        with transaction.atomic():
            if client.get(route.address(slug=slug, ids={})).status_code >= 500:
                found.append(route.template)
    return found


class _Undone(Exception):
    pass


def test_no_page_breaks(parts: Parts, tmp_path: Path) -> None:
    by = make_user(username="restorer")
    drawn = list(changes(parts))
    drawn = Random(SEED).sample(drawn, min(CHANGES, len(drawn)))
    broken: list[tuple[str, str, Any, list[str]]] = []
    restored = 0
    for part, field, value in drawn:
        path = put_together(changed(parts, part.file_name, 1, _put(field, value)), tmp_path / "changed.zip")
        try:
            with transaction.atomic():
                try:
                    project = restore(path, by=by)
                except UnusableBundle:
                    raise _Undone from None
                restored += 1
                if pages := broken_pages(by, project.slug):
                    broken.append((part.name, field, value, pages))
                raise _Undone
        except _Undone:
            pass
    assert not broken, "\n".join(map(str, broken))
    assert restored


def _put(field: str, value: Any) -> Any:
    return lambda row: row.update({field: value})
