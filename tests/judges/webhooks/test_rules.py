"""What messages hold, how they are signed, and when they are tried again."""

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta

import pytest

from judges.webhooks.rules import (
    MOST_TRIES,
    PAUSES,
    new_secret,
    pause_after,
    read_address,
    sign,
    write_body,
)


class TestSign:
    def test_the_example_of_the_specification(self) -> None:
        headers = sign(
            delivery="msg_p5jXN8AQM9LWM0D4loKWxJek",
            timestamp=1614265330,
            body='{"test": 2432232314}',
            secrets_in_use=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        )
        assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    def test_every_secret_in_use_signs(self) -> None:
        pair = [new_secret(), new_secret()]
        headers = sign(delivery="a", timestamp=5, body="{}", secrets_in_use=pair)
        for secret, signature in zip(pair, headers["webhook-signature"].split(" "), strict=True):
            key = base64.b64decode(secret.removeprefix("whsec_"))
            mac = hmac.new(key, b"a.5.{}", hashlib.sha256).digest()
            assert signature == "v1," + base64.b64encode(mac).decode()


class TestNewSecret:
    def test_it_is_256_bits_and_another_each_time(self) -> None:
        assert len(base64.b64decode(new_secret().removeprefix("whsec_"))) == 32
        assert new_secret() != new_secret()


class TestPauseAfter:
    def test_six_tries_within_about_a_day(self) -> None:
        pauses = [pause_after(tries) for tries in range(1, MOST_TRIES + 1)]
        assert (MOST_TRIES, pauses[-1]) == (6, None)
        assert timedelta(days=1) <= sum(PAUSES, timedelta()) < timedelta(days=1, hours=2)
        assert list(PAUSES) == sorted(PAUSES)


class TestWriteBody:
    def test_it_holds_these_fields_and_no_others(self) -> None:
        body = write_body(
            event="queue.grew",
            delivery="abc",
            at=datetime(2026, 11, 27, tzinfo=UTC),
            project="small",
            counts={"added": 1},
            links={"queue": "/api/projects/small/queue"},
            about={},
        )
        assert json.loads(body) == {
            "type": "queue.grew",
            "id": "abc",
            "timestamp": "2026-11-27T00:00:00+00:00",
            "data": {
                "project": "small",
                "counts": {"added": 1},
                "links": {"queue": "/api/projects/small/queue"},
            },
        }


class TestReadAddress:
    @pytest.mark.parametrize(
        ("text", "url"),
        [
            ("https://a.example", "https://a.example"),
            ("https://a.example/", "https://a.example"),
            ("https://A.example:443/Hook/", "https://a.example/Hook/"),
            ("https://a.example/hook", "https://a.example/hook"),
        ],
    )
    def test_an_address_has_one_spelling_and_keeps_its_last_slash(self, text: str, url: str) -> None:
        assert read_address(text).url == url
