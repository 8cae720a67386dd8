"""What every reply that comes page by page says beside its rows."""

import pytest
from django.core.paginator import Paginator

from common.web.replies import Paged, PageSerializer, place_of, reply_of


class TestPlaceOf:
    @pytest.mark.parametrize(("asked", "number"), [(1, 1), (3, 3), (9, 3)])
    def test_says_which_page_of_how_many_and_how_many_rows(self, asked: int, number: int) -> None:
        page = Paginator(range(5), 2).get_page(asked)
        body = place_of(page)
        assert body == {"count": 5, "page": number, "page_count": 3}
        assert PageSerializer(body).data == reply_of(Paged)(Paged(**body)).data == body
