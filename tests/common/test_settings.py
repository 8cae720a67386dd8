"""What the environment says is checked at the start, in one sentence."""

import pytest

from annotation.accounts.sso.provider import Provider
from common.web.starting import CannotStart
from config.env import project_creators, quota, single_sign_on, trusted_proxies, web_processes


class TestTrustedProxies:
    def test_are_this_machine_s_unless_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ASSAY_TRUSTED_PROXIES", raising=False)
        assert [str(network) for network in trusted_proxies()] == ["127.0.0.1/32", "::1/128"]

    @pytest.mark.parametrize(
        ("said", "meant"), [("", []), ("10.1.0.0/16, 10.2.0.1", ["10.1.0.0/16", "10.2.0.1/32"])]
    )
    def test_are_addresses_and_networks(
        self, said: str, meant: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ASSAY_TRUSTED_PROXIES", said)
        assert [str(network) for network in trusted_proxies()] == meant

    def test_are_refused_in_one_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_TRUSTED_PROXIES", "10.0.0.1,proxy")
        with pytest.raises(CannotStart) as caught:
            trusted_proxies()
        assert str(caught.value) == (
            "ASSAY_TRUSTED_PROXIES: “proxy” is not an address or network, such as 10.0.0.1 or 172.18.0.0/16."
        )


class TestWebProcesses:
    POSTGRES = {"ENGINE": "django.db.backends.postgresql"}
    SQLITE = {"ENGINE": "common.database.sqlite3"}

    def test_are_one_a_processor_on_postgresql_and_one_on_sqlite(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("ASSAY_WEB_PROCESSES", raising=False)
        monkeypatch.setattr("os.cpu_count", lambda: 4)
        assert (web_processes(self.POSTGRES), web_processes(self.SQLITE)) == (4, 1)

    def test_are_eight_at_most_unless_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("os.cpu_count", lambda: 64)
        monkeypatch.setenv("ASSAY_WEB_PROCESSES", "")
        assert web_processes(self.POSTGRES) == 8
        monkeypatch.setenv("ASSAY_WEB_PROCESSES", "12")
        assert (web_processes(self.POSTGRES), web_processes(self.SQLITE)) == (12, 1)


class TestProjectCreators:
    @pytest.mark.parametrize(
        ("hosts", "creators"),
        [
            (["localhost", "127.0.0.1", "[::1]"], "everyone"),
            (["assay.localhost"], "everyone"),
            (["localhost", "assay.example.org"], "granted"),
            (["192.168.1.7"], "granted"),
            (["*"], "granted"),
        ],
    )
    def test_are_everyone_on_this_machine_only(
        self, hosts: list[str], creators: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("ASSAY_PROJECT_CREATORS", raising=False)
        assert project_creators(hosts=hosts) == creators

    def test_are_as_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_PROJECT_CREATORS", "everyone")
        assert project_creators(hosts=["*"]) == "everyone"
        monkeypatch.setenv("ASSAY_PROJECT_CREATORS", "leads")
        with pytest.raises(CannotStart, match=r"“leads” is not valid\. Use “everyone” or “granted”"):
            project_creators(hosts=["*"])


class TestQuota:
    @pytest.mark.parametrize("said", ["0", "-1", "many", "1.5", " ", "²"])
    def test_is_a_whole_number_above_0(self, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_UPLOADS_WAITING", said)
        with pytest.raises(CannotStart, match=r"ASSAY_UPLOADS_WAITING: .* whole number above 0"):
            quota("ASSAY_UPLOADS_WAITING", default=20)


class TestSingleSignOn:
    ALL = {
        "ASSAY_SSO_ISSUER": "https://login.example/realms/uni",
        "ASSAY_SSO_CLIENT_ID": "assay",
        "ASSAY_SSO_CLIENT_SECRET": "a secret",
    }

    def set(self, monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
        for name, value in {**self.ALL, **changes}.items():
            monkeypatch.setenv(name, value)

    def test_is_off_by_default(self) -> None:
        assert single_sign_on() is None

    def test_is_named_after_its_host_unless_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.set(monkeypatch)
        found = single_sign_on()
        assert found == Provider("https://login.example/realms/uni", "assay", "a secret", "login.example")
        self.set(monkeypatch, ASSAY_SSO_NAME=" Example University ", ASSAY_SSO_CREATE_ACCOUNTS="true")
        found = single_sign_on()
        assert found is not None
        assert (found.name, found.creates_accounts) == ("Example University", True)

    def test_is_never_printed_with_its_secret(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.set(monkeypatch)
        assert "a secret" not in f"{single_sign_on()!r} {single_sign_on()}"

    @pytest.mark.parametrize("name", list(ALL))
    def test_needs_all_of_three(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.set(monkeypatch, **{name: ""})
        with pytest.raises(SystemExit, match=f"also needs {name}\\."):
            single_sign_on()

    @pytest.mark.parametrize(
        "issuer",
        [
            "login.example",
            "http://login.example",
            "https://user:pass@login.example",
            "https://login.example/?a=b",
            "https://login.example/#a",
            "https://login.example/" + "a" * 600,
            "ftp://login.example",
        ],
    )
    def test_an_issuer_that_cannot_be_used_ends_the_start(
        self, issuer: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.set(monkeypatch, ASSAY_SSO_ISSUER=issuer)
        with pytest.raises(SystemExit, match="ASSAY_SSO_ISSUER") as ended:
            single_sign_on()
        assert "a secret" not in str(ended.value)

    @pytest.mark.parametrize(
        "issuer", ["http://localhost:8080/realms/a", "http://127.0.0.1", "http://[::1]:1"]
    )
    def test_plain_http_is_for_this_machine(self, issuer: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.set(monkeypatch, ASSAY_SSO_ISSUER=issuer)
        assert single_sign_on() is not None
