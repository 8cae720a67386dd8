"""What a base URL may be."""

import pytest

from common.outgoing.addresses import (
    UnusableAddress,
    parse_destination,
    parse_policy,
    require_allowed,
)
from tests.common.outgoing.address_forms import FORBIDDEN_FORMS

PUBLIC = parse_policy(["public"])


class TestParseDestination:
    @pytest.mark.parametrize(
        ("text", "url"),
        [
            ("https://api.example.org/v1/", "https://api.example.org/v1"),
            ("HTTPS://API.Example.org:443/v1", "https://api.example.org/v1"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://[2606:4700::1111]:8443/openai/v1", "https://[2606:4700::1111]:8443/openai/v1"),
        ],
    )
    def test_gives_equal_destinations_one_spelling(self, text: str, url: str) -> None:
        assert parse_destination(text).url == url
        assert parse_destination(url) == parse_destination(text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "api.example.org/v1",
            "ftp://api.example.org",
            "file:///etc/passwd",
            "//api.example.org",
            "https://",
            "https://user:word@api.example.org",
            "https://api.example.org@evil.example",
            "https://api.example.org\\@evil.example/v1",
            "https://api.example.org#@evil.example/",
            "https://api.example.org?x=1",
            "https://api.example.org/v1/../admin",
            "https://api.example.org/v1//x",
            "https://api.example.org/%2e%2e",
            "https://api.example.org:99999",
            "https://api.example.org:x",
            "https://exa mple.org",
            "https://example.org\r\nHost: evil",
            "https://\u0435xample.org",
            "https://[::1",
        ],
    )
    def test_refuses_what_could_be_read_in_two_ways(self, text: str) -> None:
        with pytest.raises(UnusableAddress):
            parse_destination(text)


class TestRequireAllowed:
    @pytest.mark.parametrize("form", [form for form in FORBIDDEN_FORMS if "ocal" not in form])
    def test_refuses_forbidden_addresses_when_they_are_entered(self, form: str) -> None:
        with pytest.raises(UnusableAddress):
            require_allowed(parse_destination(f"https://{form}/v1"), PUBLIC)

    def test_wants_https_in_public(self) -> None:
        with pytest.raises(UnusableAddress, match="Only https"):
            require_allowed(parse_destination("http://api.example.org/v1"), PUBLIC)

    def test_where_nothing_is_allowed_says_so(self) -> None:
        with pytest.raises(UnusableAddress, match="not allow any calls"):
            require_allowed(parse_destination("https://api.example.org/v1"), parse_policy([]))
