"""What the environment says of the mail server: complete, or one sentence that says what is missing."""

import pytest

from common.web.starting import CannotStart
from config.env import MailServer, mail_server, public_url

HERE = "https://assay.example.org"
SENDER = "Assay <assay@example.org>"


def read(monkeypatch: pytest.MonkeyPatch, url: str, sender: str = SENDER, here: str = HERE) -> MailServer:
    monkeypatch.setenv("ASSAY_MAIL_URL", url)
    monkeypatch.setenv("ASSAY_MAIL_FROM", sender)
    return mail_server(public_url=here)


class TestMailServer:
    def test_is_off_where_nothing_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert read(monkeypatch, "", "") == MailServer()

    @pytest.mark.parametrize(
        ("url", "meant"),
        [
            ("smtp+tls://mail.example.org", ("mail.example.org", 587, "", "", True, False)),
            (
                "smtp+ssl://u:p%40ss%2F%23@mail.example.org",
                ("mail.example.org", 465, "u", "p@ss/#", False, True),
            ),
            ("smtp://relay:2525", ("relay", 2525, "", "", False, False)),
            ("smtp://u:p@localhost", ("localhost", 25, "u", "p", False, False)),
            ("smtp+tls://u%40example.org:p@[::1]:25/", ("::1", 25, "u@example.org", "p", True, False)),
        ],
    )
    def test_is_read_from_its_address(
        self, url: str, meant: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert read(monkeypatch, url) == (*meant, SENDER)

    @pytest.mark.parametrize(
        "url",
        [
            "mail.example.org",
            "smtps://mail.example.org",
            "smtp+tls://",
            "smtp+tls://u:secret@pw@mail.example.org",
            "smtp+tls://u:secret#1@mail.example.org",
            "smtp+tls://u:secret@mail.example.org:port",
            "smtp+tls://u:secret@mail.example.org:0",
            "smtp+tls://u:secret@mail.example.org/inbox",
            "smtp+tls://u:secret@[mail.example.org",
        ],
    )
    def test_that_is_no_address_is_refused_and_not_repeated(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises(CannotStart, match="ASSAY_MAIL_URL is not the address of a mail server") as caught:
            read(monkeypatch, url)
        assert "secret" not in str(caught.value)

    def test_sends_no_password_unencrypted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(CannotStart, match="unencrypted") as caught:
            read(monkeypatch, "smtp://u:secret@mail.example.org")
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize("sender", ["", "Assay", "a@b", "a@example.org\nBcc: b@example.org", "x <y>"])
    def test_needs_a_sender(self, sender: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(CannotStart, match="ASSAY_MAIL_FROM"):
            read(monkeypatch, "smtp://localhost", sender)

    def test_needs_the_address_that_links_begin_with(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(CannotStart, match="ASSAY_PUBLIC_URL is missing"):
            read(monkeypatch, "smtp://localhost", here="")

    def test_is_not_off_where_half_of_it_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(CannotStart, match="ASSAY_MAIL_URL is not"):
            read(monkeypatch, "")


class TestPublicUrl:
    @pytest.mark.parametrize(
        ("said", "meant"),
        [("", ""), (f"{HERE}/", HERE), ("http://localhost:8000", "http://localhost:8000")],
    )
    def test_has_no_slash_at_its_end(self, said: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_PUBLIC_URL", said)
        assert public_url() == meant

    @pytest.mark.parametrize(
        "said",
        [
            "assay.example.org",
            "ftp://assay.example.org",
            "https://",
            f"{HERE}/assay",
            f"{HERE}?a",
            "https://user@assay.example.org",
            "https://assay.example.org:port",
            "https://assay. example.org",
        ],
    )
    def test_is_an_address_without_a_path(self, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_PUBLIC_URL", said)
        with pytest.raises(CannotStart, match="ASSAY_PUBLIC_URL="):
            public_url()
