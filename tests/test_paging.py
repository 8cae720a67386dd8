"""Every list in pages is read by `limit` and `cursor`, and page by page it is the same list."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from annotation.accounts.models import AccountEvent
from annotation.accounts.services import note
from annotation.items.models import Candidate
from annotation.projects.models import Activity
from common.clock import now
from common.requests.paging import MOST_ROWS
from judges.prejudging.models import PrejudgedAnswer
from tests.annotation.assignments.factories import judge_next
from tests.conftest import ClientOf
from tests.requests_from_schema import SCHEMA, Operation, operations
from tests.world import World

PLACE = ["count", "before", "previous", "next"]
# Other ways to page through a list, which none has.
NUMBERED = {"page", "page_size", "rows", "offset", "after", "before", "per_page"}
# What must be asked, beside where a page begins.
QUERIES: dict[str, dict[str, Any]] = {
    "list_questions_right_by": {"right_by": 0},
    "list_questions_of_two": {"first": "CANARY-system-0", "second": "CANARY-system-1", "right": "neither"},
}


def named(kind: str, described: dict[str, Any]) -> set[str]:
    """Return the names of an operation's parameters in the query, or in the address."""
    return {each["name"] for each in described.get("parameters", []) if each["in"] == kind}


def reply_of(described: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of what a read gives, if it is one record."""
    content = described["responses"].get("200", {}).get("content", {})
    name = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
    return dict(SCHEMA["components"]["schemas"][name].get("properties", {})) if name else {}


READ = [each for each in operations() if each.method == "GET"]
LISTS = [
    each
    for each in READ
    if {"limit", "cursor", *NUMBERED} & named("query", each.described)
    or {"next", "previous", "page_count"} & set(reply_of(each.described))
]


def rows_of(body: dict[str, Any]) -> Any:
    """Return the rows of a page, which are the last field of its record."""
    return list(body.values())[-1]


class Reader:
    """Reads a list as somebody who may."""

    def __init__(self, world: World, operation: Operation) -> None:
        of_annotators = getattr(operation.route.view, "allowed_roles", ()) == {"annotator"}
        self._client = ClientOf(world.cast["annotator" if of_annotators else "lead"].user)
        self._query = QUERIES.get(operation.described["operationId"], {})
        self.address = operation.address(world.ids, slug="own")

    def get(self, **query: Any) -> Any:
        return self._client.get(self.address, {**self._query, **query})

    def page(self, **query: Any) -> dict[str, Any]:
        reply = self.get(**query)
        assert reply.status_code == 200, reply.content
        body: dict[str, Any] = reply.json()
        return body

    def walk(self, way: str, limit: int, cursor: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield one page after the other, from a cursor or the first page on."""
        while True:
            page = self.page(limit=limit, **({"cursor": cursor} if cursor else {}))
            yield page
            cursor = page[way]
            if cursor is None:
                return

    def refusal(self, name: str, **query: Any) -> str:
        reply = self.get(**query)
        assert reply.status_code == 400, reply.content
        words: str = reply.json()["error"]["details"]["fields"][name][0]
        return words


@pytest.fixture
def full(world: World) -> World:
    """Have more than one row in every list."""
    lead = world.cast["lead"].user
    for place in range(3):
        at = now() + timedelta(seconds=place // 2)
        note(user=lead, kind=AccountEvent.Kind.SIGNED_OUT, at=at)
        Activity.objects.create(
            project=world.project, user=lead, operation="update_project", place="", begun_at=at
        )
    judge_next(world.cast["annotator"])
    settled = PrejudgedAnswer.objects.get(application__project=world.project)
    others = Candidate.objects.filter(project=world.project).exclude(pk=settled.candidate_id)
    for candidate in others.order_by("pk")[:2]:
        settled.pk, settled.candidate = None, candidate
        settled.save(force_insert=True)
    return world


class TestEveryList:
    def test_takes_limit_and_cursor_and_says_what_is_next(self, subtests: pytest.Subtests) -> None:
        for each in LISTS:
            with subtests.test(each.name):
                limits = [said for said in each.described["parameters"] if said["name"] == "limit"]
                (schema,) = (said["schema"] for said in limits)
                assert (schema["minimum"], schema["maximum"]) == (1, MOST_ROWS)
                assert 1 <= schema["default"] <= MOST_ROWS
                assert {"limit", "cursor"} <= named("query", each.described)
                assert list(reply_of(each.described))[:4] == PLACE

    def test_page_by_page_it_is_the_same_list(self, full: World, subtests: pytest.Subtests) -> None:
        for each in LISTS:
            reader = Reader(full, each)
            whole = reader.page(limit=MOST_ROWS)
            rows = rows_of(whole)
            with subtests.test(f"{each.name} is whole"):
                assert (whole["count"], whole["before"]) == (len(rows), 0)
                assert whole["previous"] is whole["next"] is None
                assert len(rows) > 1
            for limit in (1, 2):
                with subtests.test(f"{each.name} by {limit}"):
                    pages = list(reader.walk("next", limit))
                    assert [row for page in pages for row in rows_of(page)] == rows
                    assert [page["before"] for page in pages] == list(range(0, len(rows), limit))
                    assert {page["count"] for page in pages} == {len(rows)}
                    back = reader.walk("previous", limit, pages[-1]["previous"]) if pages[1:] else ()
                    assert list(back) == pages[-2::-1]

    def test_other_limits_are_refused(self, full: World, subtests: pytest.Subtests) -> None:
        for each in LISTS:
            for limit in ("0", "-1", str(MOST_ROWS + 1), "all"):
                with subtests.test(f"{each.name}, {limit}"):
                    assert Reader(full, each).refusal("limit", limit=limit)

    def test_other_cursors_are_refused(self, full: World, subtests: pytest.Subtests) -> None:
        cursors = {each.name: Reader(full, each).page(limit=1)["next"] for each in LISTS}
        for each in LISTS:
            own = cursors[each.name]
            foreign = [cursor for name, cursor in cursors.items() if name != each.name]
            broken = [own[:-2], own[::-1], f"{own}A", "1", "a.b", "ü" * 8, "x" * 501]
            for cursor in [*foreign, *broken]:
                with subtests.test(f"{each.name}, {cursor}"):
                    assert Reader(full, each).refusal("cursor", limit=1, cursor=cursor)
