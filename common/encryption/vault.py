"""What is stored so that only this server can read it: each purpose has keys of its own."""

import base64

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def keys_for(purpose: bytes) -> list[bytes]:
    """Return 32 bytes for each secret of the server, today's first: older ones still read.

    So `SECRET_KEY` can be changed while `SECRET_KEY_FALLBACKS` names the one before.
    """
    return [_derive(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


def vault_for(purpose: bytes) -> MultiFernet:
    """Return what encrypts by today's secret, and decrypts by any of them."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys_for(purpose)])


def marks_of_secrets() -> list[str]:
    """Return what tells the server's secrets apart without telling them, today's first."""
    return [key.hex()[:16] for key in keys_for(b"assay.marks_of_secrets")]


def _derive(secret: str, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())
