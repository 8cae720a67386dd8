"""Claims to requests: who holds one, for how long, and what is told to whom where somebody died over it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.accounts.idempotency import claims
from annotation.accounts.idempotency.claims import Held
from annotation.accounts.models import IdempotencyKey, User
from common.requests.idempotency import Asked, KeptReply
from common.tasks import at_work

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
REPLY = KeptReply(201, {"Content-Type": "application/json"}, b'{"secret": "whsec_1234"}')


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


def asked(user: User, *, content: bytes = b"content", is_whole: bool = True, **more: Any) -> Asked:
    given = {"address": "/api/projects", "key": "a key", **more}
    return Asked(user=user, digest=content, is_whole=is_whole, **given)


def claim(request: Asked, *, at: datetime = AT) -> Held:
    held = claims.claim_request(asked=request, at=at)
    assert isinstance(held, Held)
    return held


class TestClaim:
    def test_the_next_one_waits_and_then_gets_the_reply(self, lead: User) -> None:
        held = claim(asked(lead))
        with pytest.raises(claims.IdempotencyKeyRunning):
            claims.claim_request(asked=asked(lead), at=AT)
        held.keep(REPLY)
        assert claims.claim_request(asked=asked(lead), at=AT) == REPLY

    def test_another_content_is_another_request_while_it_runs_too(self, lead: User) -> None:
        held = claim(asked(lead))
        with pytest.raises(claims.IdempotencyKeyReused):
            claims.claim_request(asked=asked(lead, content=b"other"), at=AT)
        held.keep(REPLY)
        with pytest.raises(claims.IdempotencyKeyReused):
            claims.claim_request(asked=asked(lead, content=b"other"), at=AT)

    def test_what_is_released_is_the_next_one_s(self, lead: User) -> None:
        claim(asked(lead)).release()
        claim(asked(lead, content=b"corrected"))

    def test_a_reply_is_never_released(self, lead: User) -> None:
        held = claim(asked(lead))
        held.keep(REPLY)
        held.release()
        assert claims.claim_request(asked=asked(lead), at=AT) == REPLY

    def test_it_is_one_account_s_and_one_address_s(self, lead: User, outsider: User) -> None:
        for request in (asked(lead), asked(outsider), asked(lead, address="/api/bundles")):
            claim(request)

    def test_the_database_lets_one_in(self, lead: User) -> None:
        claim(asked(lead))
        row = IdempotencyKey.objects.get()
        row.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(force_insert=True)

    def test_whoever_comes_between_reading_and_writing_is_let_in_first(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        find = claims._find
        seen: list[IdempotencyKey | None] = []

        def look(*args: Any, **options: Any) -> IdempotencyKey | None:
            seen.append(find(*args, **options))
            if len(seen) == 1:
                claims._insert(asked(lead), at=AT)
            return seen[-1]

        monkeypatch.setattr(claims, "_find", look)
        with pytest.raises(claims.IdempotencyKeyRunning):
            claims.claim_request(asked=asked(lead), at=AT)
        assert [row is None for row in seen] == [True, False]


class TestDeath:
    """Somebody was killed over a request: their lease ends, or their lock on this machine says so at once."""

    LATER = AT + claims.LEASE

    @pytest.fixture(params=["lease", "lock"])
    def when_dead(self, request: pytest.FixtureRequest, lead: User, tmp_path: Any) -> datetime:
        if request.param == "lease":
            return self.LATER
        # Of whoever is killed the file stays, and nobody has it locked.
        IdempotencyKey.objects.all().delete()
        self.leaves_a_file = tmp_path / "at-work"
        return AT

    def die(self, request: Asked) -> Held:
        held = claim(request)
        if hasattr(self, "leaves_a_file"):
            self.leaves_a_file.mkdir(exist_ok=True)
            (self.leaves_a_file / held.work_name).touch()
        return held

    def test_what_is_one_transaction_is_carried_out_by_the_next_one(
        self, lead: User, when_dead: datetime
    ) -> None:
        dead = self.die(asked(lead))
        heir = claim(asked(lead), at=when_dead)
        # Who was only slow finds that the claim is gone, and with it their transaction.
        with pytest.raises(claims.IdempotencyKeyRunning):
            dead.keep(REPLY)
        heir.keep(REPLY)
        assert claims.claim_request(asked=asked(lead), at=when_dead) == REPLY

    def test_of_anything_else_nobody_knows_what_came_of_it(self, lead: User, when_dead: datetime) -> None:
        request = asked(lead, is_whole=False)
        self.die(request)
        for _ in range(2):
            with pytest.raises(claims.IdempotencyOutcomeUnknown):
                claims.claim_request(asked=request, at=when_dead)
        claim(request, at=AT + claims.LASTS)

    def test_who_is_alive_is_waited_for(self, lead: User) -> None:
        held = claim(asked(lead))
        with at_work(held.work_name), pytest.raises(claims.IdempotencyKeyRunning):
            claims.claim_request(asked=asked(lead), at=self.LATER - timedelta(seconds=1))

    def test_a_failure_in_the_middle_is_told_like_a_death(self, lead: User) -> None:
        request = asked(lead, is_whole=False)
        # Whoever gives up does so now.
        claim(request, at=timezone.now()).abandon()
        with pytest.raises(claims.IdempotencyOutcomeUnknown):
            claims.claim_request(asked=request)


class TestStorage:
    def test_nothing_that_was_said_can_be_read(self, lead: User) -> None:
        held = claim(asked(lead, content=b"what was sent", key="guess me"))
        held.keep(REPLY)
        stored = str(list(IdempotencyKey.objects.values()))
        for said in ("whsec_1234", "secret", "guess me", b"what was sent".hex()):
            assert said not in stored

    def test_an_older_secret_still_opens_it(self, lead: User, settings: Any) -> None:
        claim(asked(lead)).keep(REPLY)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "a new secret of this server, long enough"
        assert claims.claim_request(asked=asked(lead), at=AT) == REPLY

    def test_without_that_secret_nothing_is_carried_out_again(self, lead: User, settings: Any) -> None:
        claim(asked(lead)).keep(REPLY)
        settings.SECRET_KEY = "a new secret of this server, long enough"
        with pytest.raises(claims.IdempotencyKeyReused):
            claims.claim_request(asked=asked(lead), at=AT)

    def test_a_reply_that_was_not_kept_is_told_to_be_lost(self, lead: User) -> None:
        claim(asked(lead)).keep(REPLY._replace(body=None))
        with pytest.raises(claims.IdempotencyReplyLost):
            claims.claim_request(asked=asked(lead), at=AT)


class TestSweep:
    def test_what_has_expired_goes_a_chunk_at_a_time(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(claims, "A_CHUNK", 2)
        for number in range(3):
            claim(asked(lead, key=f"old {number}")).keep(REPLY)
        claim(asked(lead, key="new"), at=AT + timedelta(hours=1))
        assert [claims.sweep_keys(at=AT + claims.LASTS) for _ in range(3)] == [2, 1, 0]
        assert IdempotencyKey.objects.count() == 1

    def test_what_has_expired_and_is_not_swept_yet_is_forgotten(self, lead: User) -> None:
        claim(asked(lead)).keep(REPLY)
        late = AT + claims.LASTS
        assert claims.claim_request(asked=asked(lead), at=late - timedelta(seconds=1)) == REPLY
        claim(asked(lead, content=b"other"), at=late)


class TestLimits:
    def test_so_many_keys_of_an_account_are_kept(self, lead: User, outsider: User, settings: Any) -> None:
        settings.ASSAY_IDEMPOTENCY_KEYS = 2
        claim(asked(lead, key="1"))
        claim(asked(lead, key="2")).keep(REPLY)
        with pytest.raises(claims.TooManyIdempotencyKeys, match="ASSAY_IDEMPOTENCY_KEYS") as refused:
            claim(asked(lead, key="3"))
        assert refused.value.details == {"limit": 2}
        # What was asked before is still told, and others have their own.
        assert claims.claim_request(asked=asked(lead, key="2"), at=AT) == REPLY
        claim(asked(outsider, key="3"))
        claim(asked(lead, key="3"), at=AT + claims.LASTS)

    def test_of_one_that_changed_nothing_there_is_none(self, lead: User, settings: Any) -> None:
        settings.ASSAY_IDEMPOTENCY_KEYS = 1
        for key in "123":
            claim(asked(lead, key=key)).release()

    def test_replies_are_kept_while_there_is_room(
        self, lead: User, outsider: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claim(asked(lead, key="1")).keep(REPLY)
        size = IdempotencyKey.objects.get().reply_bytes
        assert size == len(IdempotencyKey.objects.get().sealed_reply) > 0
        monkeypatch.setattr(claims, "MOST_KEPT_BYTES", 2 * size - 1)
        claim(asked(lead, key="2")).keep(REPLY)
        with pytest.raises(claims.IdempotencyReplyLost):
            claims.claim_request(asked=asked(lead, key="2"), at=AT)
        claim(asked(outsider, key="2")).keep(REPLY)
        assert claims.claim_request(asked=asked(outsider, key="2"), at=AT) == REPLY
