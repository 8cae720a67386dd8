"""No call reaches an address that the operator has not allowed (promise P13)."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpcore2
import pytest

from common.outgoing import guard
from common.outgoing.addresses import parse_policy
from common.outgoing.guard import CallRefused, GuardedTransport, LookUps, TooManyHang
from judges.connections.models import Connection
from judges.connections.services.client import open_client
from judges.protocol import JudgeFailed
from tests.common.outgoing.address_forms import FORBIDDEN_FORMS, PUBLIC_FORMS
from tests.hostile import Provider
from tests.judges.connections.conftest import MakeConnection, ask_once, guarded_backend, make_request

Start = Callable[[str], Provider]
PUBLIC, HERE = "93.184.216.34", "127.0.0.1"


def answers(*replies: list[str]) -> Callable[[str, int], list[str]]:
    """Return a resolver that says something else each time, as rebinding names do."""
    left: Iterator[list[str]] = iter(replies)
    return lambda host, port: next(left)


class TestAddressForms:
    def test_there_are_enough_of_them(self) -> None:
        assert len(set(FORBIDDEN_FORMS)) >= 40

    @pytest.mark.parametrize("form", FORBIDDEN_FORMS)
    def test_a_stored_connection_to_one_is_not_called(
        self, form: str, make_connection: MakeConnection, settings: Any, reached: list[str]
    ) -> None:
        connection = make_connection(key="")
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        for scheme in ("https", "http"):
            Connection.objects.filter(pk=connection.pk).update(base_url=f"{scheme}://{form}/v1")
            connection.refresh_from_db()
            with pytest.raises(JudgeFailed) as failed:
                ask_once(connection)
            assert failed.value.pauses_run
        assert reached == []

    @pytest.mark.parametrize("form", FORBIDDEN_FORMS)
    def test_what_the_system_makes_of_one_is_not_connected_to(self, form: str, reached: list[str]) -> None:
        with pytest.raises((CallRefused, httpcore2.ConnectError)):
            guarded_backend().connect_tcp(form.strip("[]").replace("%25", "%"), 443)
        assert reached == []

    @pytest.mark.parametrize("form", PUBLIC_FORMS)
    def test_a_public_one_would_be(self, form: str, reached: list[str]) -> None:
        with pytest.raises(httpcore2.ConnectError):
            guarded_backend().connect_tcp(form.strip("[]"), 443)
        assert reached == [form.strip("[]")]


class TestNames:
    @pytest.mark.parametrize("private", [HERE, "10.0.0.7", "169.254.169.254", "::1", "::ffff:127.0.0.1"])
    def test_one_that_leads_inside_is_refused(self, private: str, reached: list[str]) -> None:
        with pytest.raises(CallRefused):
            guarded_backend(resolve=answers([private])).connect_tcp("inside.example", 443)
        assert reached == []

    def test_one_forbidden_address_among_others_is_enough(self, reached: list[str]) -> None:
        with pytest.raises(CallRefused):
            guarded_backend(resolve=answers([PUBLIC, HERE])).connect_tcp("both.example", 443)
        assert reached == []

    def test_what_was_checked_is_what_is_called(self, reached: list[str]) -> None:
        guarded = guarded_backend(resolve=answers([PUBLIC], [HERE]))
        with pytest.raises(httpcore2.ConnectError):
            guarded.connect_tcp("rebinds.example", 443)
        with pytest.raises(CallRefused):
            guarded.connect_tcp("rebinds.example", 443)
        assert reached == [PUBLIC]

    def test_every_address_is_tried_in_order(self, reached: list[str]) -> None:
        with pytest.raises(httpcore2.ConnectError):
            guarded_backend(resolve=answers([PUBLIC, "8.8.8.8"])).connect_tcp("two.example", 443)
        assert reached == [PUBLIC, "8.8.8.8"]

    def test_one_with_foreign_letters_is_called(
        self, make_connection: MakeConnection, settings: Any, reached: list[str]
    ) -> None:
        connection = make_connection(base_url="https://xn--bcher-kva.example/v1")
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        with pytest.raises(JudgeFailed):
            open_client(connection, resolve=answers([PUBLIC])).complete(make_request())
        assert reached == [PUBLIC]

    def test_one_that_nobody_knows_may_be_known_later(self, make_connection: MakeConnection) -> None:
        def fails(host: str, port: int) -> list[str]:
            raise OSError("no such name")

        with pytest.raises(JudgeFailed) as failed:
            open_client(make_connection(), resolve=fails).complete(make_request())
        assert failed.value.retryable

    def test_the_whole_way_refuses_a_rebinding_name(
        self, make_connection: MakeConnection, settings: Any, reached: list[str]
    ) -> None:
        connection = make_connection(base_url="https://rebinds.example/v1")
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        client = open_client(connection, resolve=answers([PUBLIC], [HERE], ["169.254.169.254"]))
        failures = []
        for _ in range(3):
            with pytest.raises(JudgeFailed) as failed:
                client.complete(make_request())
            failures.append(failed.value.pauses_run)
        assert failures == [False, True, True]
        assert reached == [PUBLIC]

    def test_sockets_of_this_machine_are_not_called(self) -> None:
        with pytest.raises(CallRefused):
            guarded_backend().connect_unix_socket("/run/docker.sock")


class TestGuardedTransport:
    @pytest.mark.parametrize(
        "url",
        [
            "https://models.example.org:8443/v1/chat/completions",
            "http://models.example.org/v1/chat/completions",
            "https://evil.example/v1/chat/completions",
            "https://models.example.org.evil.example/v1",
        ],
    )
    def test_carries_calls_to_its_own_origin_only(self, url: str, reached: list[str]) -> None:
        import httpx2

        from common.outgoing.addresses import parse_destination

        transport = GuardedTransport(
            destination=parse_destination("https://models.example.org/v1"),
            policy=parse_policy(["public"]),
            timeout_seconds=5,
            key="sk-1",
        )
        with pytest.raises(CallRefused):
            transport.handle_request(httpx2.Request("POST", url))
        assert reached == []

    def test_a_redirect_to_this_machine_is_not_followed(
        self, start_provider: Start, make_connection: MakeConnection
    ) -> None:
        provider = start_provider("redirect")
        with pytest.raises(JudgeFailed) as failed:
            ask_once(make_connection(base_url=provider.base_url))
        assert failed.value.pauses_run
        assert [entry.path for entry in provider.entries()] == ["/v1/chat/completions"]

    def test_the_list_is_asked_again_when_the_operator_changes_it(
        self, start_provider: Start, make_connection: MakeConnection, settings: Any
    ) -> None:
        provider = start_provider("good")
        connection = make_connection(base_url=provider.base_url)
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        with pytest.raises(JudgeFailed) as failed:
            open_client(connection)
        assert failed.value.pauses_run
        assert provider.entries() == []


class Resolver:
    """A resolver that hangs for names that begin so, until it is let go."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.over = threading.Event()

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if host.startswith("hang"):
            assert self.over.wait(60)
        if host.startswith("fail"):
            raise OSError("no such name")
        return [PUBLIC]


@pytest.fixture
def resolver() -> Iterator[Resolver]:
    made = Resolver()
    yield made
    made.over.set()


def threads_looking_up() -> set[threading.Thread]:
    """Those of other tests are among them and end at any time: compare sets, not how many there are."""
    return {each for each in threading.enumerate() if each.name == "look up"}


class TestLookUps:
    def test_a_name_that_hangs_takes_one_thread_however_often_it_is_asked_for(
        self, resolver: Resolver
    ) -> None:
        look_ups, before = LookUps(most=2), threads_looking_up()
        for _ in range(5):
            with pytest.raises(TimeoutError):
                look_ups.within(0.01, resolver, "hang.example", 443)
        assert resolver.asked == ["hang.example"]
        assert len(threads_looking_up() - before) == 1
        assert look_ups.within(60, resolver, "other.example", 443) == [PUBLIC]

    def test_so_many_hang_and_one_more_is_refused_at_once(self, resolver: Resolver) -> None:
        look_ups = LookUps(most=2)
        for name in ("hang-1.example", "hang-2.example"):
            with pytest.raises(TimeoutError):
                look_ups.within(0.01, resolver, name, 443)
        with pytest.raises(TooManyHang):
            look_ups.within(60, resolver, "other.example", 443)
        resolver.over.set()
        for thread in threads_looking_up():
            thread.join(60)
        assert look_ups.within(60, resolver, "other.example", 443) == [PUBLIC]

    def test_one_that_has_hung_for_long_is_asked_for_anew(self, resolver: Resolver) -> None:
        times = [0.0]
        look_ups = LookUps(most=2, clock=lambda: times[0])
        for at in (0.0, guard.SHARED_SECONDS - 1, guard.SHARED_SECONDS):
            times[0] = at
            with pytest.raises(TimeoutError):
                look_ups.within(0.01, resolver, "hang.example", 443)
        assert len(resolver.asked) == 2

    def test_what_is_found_is_asked_for_anew_the_next_time(self, resolver: Resolver) -> None:
        look_ups = LookUps(most=1)
        for _ in range(3):
            assert look_ups.within(60, resolver, "a.example", 443) == [PUBLIC]
            with pytest.raises(OSError, match="no such name"):
                look_ups.within(60, resolver, "fails.example", 443)
        assert len(resolver.asked) == 6

    def test_a_call_is_told_that_it_may_be_tried_again(
        self,
        make_connection: MakeConnection,
        settings: Any,
        monkeypatch: pytest.MonkeyPatch,
        reached: list[str],
    ) -> None:
        connection = make_connection(base_url="https://any.example/v1")
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        monkeypatch.setattr(guard, "LOOK_UPS", LookUps(most=0))
        with pytest.raises(JudgeFailed) as failed:
            open_client(connection, resolve=answers([PUBLIC])).complete(make_request())
        assert failed.value.retryable
        assert reached == []
