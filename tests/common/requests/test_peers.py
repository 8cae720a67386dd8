"""Where a request comes from."""

import pytest

from common.requests.peers import find_client, parse_networks

PROXIES = parse_networks(["10.0.0.0/8", "::1", "127.0.0.1"])


class TestParseNetworks:
    def test_takes_addresses_and_networks(self) -> None:
        assert [str(network) for network in PROXIES] == ["10.0.0.0/8", "::1/128", "127.0.0.1/32"]

    @pytest.mark.parametrize("entry", ["proxy.example.org", "10.0.0.1/8", "*", "", "10.0.0.0/33"])
    def test_names_what_is_neither(self, entry: str) -> None:
        with pytest.raises(ValueError, match="is not an address or network"):
            parse_networks([entry])


class TestFindClient:
    @pytest.mark.parametrize(
        ("peer", "forwarded", "client"),
        [
            # Nobody but a trusted proxy is believed.
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("203.0.113.9", "", "203.0.113.9"),
            ("127.0.0.1", "", "127.0.0.1"),
            # What the client itself wrote stands to the left of what the proxy saw.
            ("10.0.0.2", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
            ("10.0.0.2", "10.9.9.9, 198.51.100.1", "198.51.100.1"),
            # Two proxies in a row.
            ("10.0.0.2", "1.1.1.1, 198.51.100.1, 10.0.0.3", "198.51.100.1"),
            # Only proxies: the one furthest away.
            ("10.0.0.2", "10.0.0.4, 10.0.0.3", "10.0.0.4"),
            # No address ends the search.
            ("10.0.0.2", "198.51.100.1, unknown", "10.0.0.2"),
            ("10.0.0.2", "198.51.100.1,", "10.0.0.2"),
            ("10.0.0.2", "1.1.1.1, unknown, 10.0.0.3", "10.0.0.3"),
            # Ports, brackets, IPv4 inside IPv6, and one line's IPv6 addresses.
            ("10.0.0.2", "198.51.100.1:4711", "198.51.100.1"),
            ("::ffff:10.0.0.2", "::ffff:198.51.100.1", "198.51.100.1"),
            ("::1", '"[2001:db8::17]:4711"', "2001:db8::/64"),
            ("2001:db8::1:2:3:4", "", "2001:db8::/64"),
            ("", "198.51.100.1", ""),
        ],
    )
    def test_believes_trusted_proxies_only(self, peer: str, forwarded: str, client: str) -> None:
        assert find_client(peer=peer, forwarded=forwarded, trusted=PROXIES) == client
