"""Keep API keys: encrypted, each bound to the address it was entered for."""

import base64
import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PURPOSE = b"assay connection keys 1"


class KeyUnusable(Exception):
    """A stored key cannot be read, or was entered for another address."""


def encrypt_key(*, key: str, base_url: str) -> str:
    """Return the key in a form that is of use only with this server's secret and for this address."""
    sealed = json.dumps({"key": key, "base_url": base_url}).encode()
    return _vault().encrypt(sealed).decode()


def decrypt_key(*, encrypted: str, base_url: str) -> str:
    """Return the key for the address it was entered for; raises `KeyUnusable` for any other."""
    try:
        opened = json.loads(_vault().decrypt(encrypted.encode()))
    except InvalidToken:
        raise KeyUnusable(
            "The stored key cannot be read with this server's secret. Enter it again."
        ) from None
    if opened["base_url"] != base_url:
        raise KeyUnusable("The stored key was entered for another address. Enter it again.")
    key: str = opened["key"]
    return key


def _vault() -> MultiFernet:
    # The first secret writes; the older ones still read, so that SECRET_KEY can be changed.
    return MultiFernet([_fernet(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(secret: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
