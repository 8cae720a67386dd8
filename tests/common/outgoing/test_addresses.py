"""Which addresses may be called."""

import ipaddress

import pytest

from common.outgoing.addresses import is_public, parse_policy
from tests.common.outgoing.address_forms import FORBIDDEN_FORMS, PUBLIC_FORMS


def plain(forms: list[str]) -> list[str]:
    """Return the forms that are addresses as Python writes them."""
    found = []
    for form in forms:
        try:
            found.append(str(ipaddress.ip_address(form.strip("[]"))))
        except ValueError:
            continue
    return found


class TestIsPublic:
    @pytest.mark.parametrize("address", plain(FORBIDDEN_FORMS))
    def test_no_forbidden_address_is(self, address: str) -> None:
        assert not is_public(ipaddress.ip_address(address))

    @pytest.mark.parametrize("address", plain(PUBLIC_FORMS))
    def test_an_ordinary_one_is(self, address: str) -> None:
        assert is_public(ipaddress.ip_address(address))

    def test_no_network_that_python_calls_private_is(self) -> None:
        for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fe80::/10"):
            assert not is_public(ipaddress.ip_network(network)[7])


class TestParsePolicy:
    def test_reads_names_addresses_and_networks_with_ports(self) -> None:
        policy = parse_policy(
            ["ollama:11434", "10.1.0.0/16", "127.0.0.1:8080", "[::1]:80", "Model.Example.ORG"]
        )
        assert policy.allows(host="ollama", port=11434, address="172.18.0.3")
        assert not policy.allows(host="ollama", port=80, address="172.18.0.3")
        assert policy.allows(host="x", port=1, address="10.1.2.3")
        assert policy.allows(host="x", port=8080, address="127.0.0.1")
        assert not policy.allows(host="x", port=8081, address="127.0.0.1")
        assert policy.allows(host="x", port=80, address="::1")
        assert policy.allows(host="model.example.org", port=443, address="10.9.9.9")
        assert not policy.allows(host="x", port=443, address="93.184.216.34")

    def test_nothing_named_allows_nothing(self) -> None:
        assert not parse_policy([]).allows(host="x", port=443, address="93.184.216.34")

    def test_naming_loopback_names_no_other_spelling_of_it(self) -> None:
        policy = parse_policy(["127.0.0.0/8"])
        assert not policy.allows(host="x", port=80, address="::ffff:127.0.0.1")

    def test_what_is_no_address_is_not_allowed(self) -> None:
        assert not parse_policy(["public"]).allows(host="x", port=443, address="fe80::1%eth0x/..")

    @pytest.mark.parametrize("entry", ["https://x.org", "a b", "*.x.org", "me@x.org", "x.org/v1"])
    def test_refuses_what_is_none_of_these(self, entry: str) -> None:
        with pytest.raises(ValueError, match="not a host"):
            parse_policy([entry])

    def test_plain_http_is_for_what_is_named(self) -> None:
        policy = parse_policy(["public", "ollama", "127.0.0.1"])
        assert policy.allows_plain_http(host="ollama", port=80)
        assert policy.allows_plain_http(host="127.0.0.1", port=80)
        assert not policy.allows_plain_http(host="93.184.216.34", port=80)
        assert not policy.allows_plain_http(host="example.org", port=80)
