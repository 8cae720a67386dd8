"""What a provider's failure means."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from judges.connections.rules.calls import (
    USUAL_REST_SECONDS,
    failure_of_status,
    parse_retry_after,
    shortened,
)
from judges.protocol import JudgeFailed

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def failure(status: int, *, message: str = "", code: str = "", retry_after: str = "") -> JudgeFailed:
    return failure_of_status(
        status, message=message, code=code, key="own-key", retry_after=retry_after, at=NOW
    )


class TestFailureOfStatus:
    @pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
    def test_what_passes_is_tried_again(self, status: int) -> None:
        found = failure(status, message="request 1234", retry_after="7")
        assert (found.retryable, found.pauses_run, found.retry_after_seconds) == (True, False, 7)
        assert found.reason == f"The provider responded with status {status}."

    @pytest.mark.parametrize("status", [429, 503, 529])
    def test_what_is_overloaded_rests_although_it_does_not_say_for_how_long(self, status: int) -> None:
        assert failure(status).retry_after_seconds == USUAL_REST_SECONDS
        assert failure(500).retry_after_seconds is None

    @pytest.mark.parametrize("status", [401, 402, 403, 404, 301, 307])
    def test_what_a_person_must_mend_pauses_the_run(self, status: int) -> None:
        found = failure(status, message="No such model")
        assert (found.retryable, found.pauses_run) == (False, True)

    def test_a_spent_account_pauses_although_it_is_a_429(self) -> None:
        assert failure(429, code="insufficient_quota").pauses_run

    @pytest.mark.parametrize("status", [400, 413, 422])
    def test_what_is_wrong_with_one_request_fails_it(self, status: int) -> None:
        found = failure(status, message="too long")
        assert (found.retryable, found.pauses_run) == (False, False)
        assert found.reason == f"The provider responded with status {status}: too long"


class TestShortened:
    def test_holds_no_key_and_is_one_short_line(self) -> None:
        told = shortened(f"Wrong key own-key,\n or sk-abcdefgh1234, {'x ' * 200}", key="own-key")
        assert "own-key" not in told
        assert "abcdefgh" not in told
        assert "\n" not in told
        assert len(told) <= 200

    def test_holds_no_sign_that_no_database_keeps(self) -> None:
        assert shortened("no\0 such\ud800 model", key="") == "no\N{REPLACEMENT CHARACTER} such? model"


class TestParseRetryAfter:
    @pytest.mark.parametrize(
        ("text", "seconds"),
        [
            ("0", 0),
            ("7", 7),
            ("1.5", 1.5),
            ("1e9", 3600),
            ("inf", 3600),
            ("", None),
            ("-3", None),
            ("nan", None),
            ("soon", None),
            ("Mon, 01 Jan 2024 00:00:00 +99999999999999999999", None),
        ],
    )
    def test_reads_seconds(self, text: str, seconds: float | None) -> None:
        assert parse_retry_after(text, at=NOW) == seconds

    def test_reads_a_date(self) -> None:
        later = format_datetime(NOW + timedelta(seconds=90), usegmt=True)
        assert parse_retry_after(later, at=NOW) == 90

    def test_a_date_that_has_passed_asks_for_nothing(self) -> None:
        assert parse_retry_after("Mon, 01 Jan 2024 00:00:00 -0000", at=NOW) == 0
