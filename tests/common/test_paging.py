"""Where a page begins: beside a row, whatever else came or went meanwhile."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.conf import LazySettings
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from annotation.accounts.models import User
from common.requests.paging import (
    Cursor,
    Page,
    Paged,
    PageSerializer,
    cut_page,
    read_cursor,
    write_cursor,
)
from common.web.replies import reply_of
from tests.factories import make_user


def asking(path: str = "/api/list") -> Request:
    return Request(APIRequestFactory().get(path))


def cut(rows: Any, limit: int, cursor: str | None = None) -> Page[Any]:
    return cut_page(asking(), rows, {"limit": limit, "cursor": cursor or ""})


def numbers(*found: int) -> Sequence[tuple[int]]:
    return [(number,) for number in found]


class TestCursor:
    def test_is_the_same_text_each_time_and_says_nothing(self) -> None:
        text = write_cursor(asking(), Cursor((7, "seven")))
        assert text == write_cursor(asking(), Cursor((7, "seven")))
        assert read_cursor(asking(), text) == Cursor((7, "seven"))
        assert "seven" not in text

    def test_of_another_list_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            read_cursor(asking("/api/others"), write_cursor(asking(), Cursor((7,))))

    def test_outlives_a_change_of_the_secret_key(self, settings: LazySettings) -> None:
        text = write_cursor(asking(), Cursor((7,)))
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another" * 10
        assert read_cursor(asking(), text) == Cursor((7,))


class TestRowsThatAreRead:
    def test_what_came_or_went_before_a_page_moves_no_row(self) -> None:
        first = cut(numbers(2, 4, 6, 8), 2)
        second = cut(numbers(1, 3, 6, 8), 2, first.paged.next)
        assert (second.rows, second.paged.before, second.paged.next) == ([(6,), (8,)], 2, None)

    def test_a_page_past_the_end_leads_back_to_the_last_rows(self) -> None:
        first = cut(numbers(1, 2, 3, 4), 2)
        second = cut(numbers(1, 2), 1, first.paged.next)
        assert (second.rows, second.paged.before, second.paged.count) == ([], 2, 2)
        assert second.paged.next is None
        assert cut(numbers(1, 2), 1, second.paged.previous).rows == [(2,)]

    def test_the_page_before_few_rows_is_the_first(self) -> None:
        second = cut(numbers(1, 2, 3, 4), 1, cut(numbers(1, 2, 3, 4), 1).paged.next)
        back = cut(numbers(1, 2, 3, 4), 3, second.paged.previous)
        assert (back.rows, back.paged.before, back.paged.previous) == (numbers(1, 2, 3), 0, None)

    def test_none_at_all_are_one_page(self) -> None:
        assert cut([], 5) == Page([], Paged(count=0, before=0, previous=None, next=None))


@pytest.mark.django_db
class TestRowsOfTheDatabase:
    @pytest.fixture
    def people(self) -> list[User]:
        return [make_user(username=name, name=said) for name, said in zip("abcde", "YXXYX", strict=True)]

    @pytest.mark.parametrize("order", [("name", "pk"), ("-name", "pk"), ("name", "-pk"), ("-name", "-pk")])
    @pytest.mark.parametrize("limit", [1, 2, 3])
    def test_equal_values_stand_by_the_next_one(
        self, people: list[User], order: tuple[str, ...], limit: int
    ) -> None:
        rows = User.objects.filter(pk__in=[person.pk for person in people]).order_by(*order)
        page = cut(rows, limit)
        found, places = [*page.rows], [page.paged.before]
        while page.paged.next:
            page = cut(rows, limit, page.paged.next)
            found += page.rows
            places.append(page.paged.before)
        assert (found, places) == (list(rows), list(range(0, 5, limit)))

    def test_a_page_past_the_end_leads_back_to_the_last_rows(self, people: list[User]) -> None:
        rows = User.objects.filter(pk__in=[person.pk for person in people]).order_by("pk")
        past = cut(rows.filter(pk=people[0].pk), 2, cut(rows, 2).paged.next)
        assert (past.rows, past.paged.before, past.paged.next) == ([], 1, None)
        assert cut(rows, 2, past.paged.previous).rows == people[-2:]


class TestPlace:
    def test_records_of_both_kinds_say_the_same(self) -> None:
        body = cut(numbers(1, 2, 3), 2).place
        assert list(body) == ["count", "before", "previous", "next"]
        assert PageSerializer(body).data == reply_of(Paged)(Paged(**body)).data == body
