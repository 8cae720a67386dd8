"""Keys are kept unreadable, and each for one address."""

import pytest
from django.conf import LazySettings

from judges.connections.selectors import KeyUnusable, decrypt_key, encrypt_key

HERE, THERE = "https://a.example/v1", "https://b.example/v1"


class TestKeys:
    def test_come_back_for_their_own_address(self) -> None:
        assert decrypt_key(encrypted=encrypt_key(key="sk-1", base_url=HERE), base_url=HERE) == "sk-1"

    def test_do_not_come_back_for_another(self) -> None:
        with pytest.raises(KeyUnusable, match="another address"):
            decrypt_key(encrypted=encrypt_key(key="sk-1", base_url=HERE), base_url=THERE)

    def test_stand_nowhere_in_what_is_stored(self) -> None:
        first, second = (encrypt_key(key="sk-1", base_url=HERE) for _ in range(2))
        assert "sk-1" not in first
        assert first != second

    def test_are_of_no_use_with_another_secret(self, settings: LazySettings) -> None:
        encrypted = encrypt_key(key="sk-1", base_url=HERE)
        settings.SECRET_KEY = "another secret"
        with pytest.raises(KeyUnusable, match="cannot be read"):
            decrypt_key(encrypted=encrypted, base_url=HERE)

    def test_outlive_a_change_of_the_secret(self, settings: LazySettings) -> None:
        encrypted = encrypt_key(key="sk-1", base_url=HERE)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another secret"
        assert decrypt_key(encrypted=encrypted, base_url=HERE) == "sk-1"

    def test_what_was_tampered_with_is_refused(self) -> None:
        encrypted = encrypt_key(key="sk-1", base_url=HERE)
        with pytest.raises(KeyUnusable):
            decrypt_key(encrypted=encrypted[:-4] + "AAA=", base_url=HERE)
