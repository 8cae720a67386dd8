"""Codes as authenticator apps make them (RFC 6238), and the recovery codes in their place; no database."""

import base64
import hashlib
import re
import secrets
from datetime import datetime

import segno
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.utils.crypto import constant_time_compare

# What all apps can do: other lengths, times and hashes are not read by many.
DIGITS, STEP_SECONDS, SECRET_BYTES = 6, 30, 20
# A clock may be wrong by so many steps either way.
TOLERANCE = 1
RECOVERY_CODES, RECOVERY_BYTES = 10, 10
APP_CODE = re.compile(rf"[0-9]{{{DIGITS}}}")


def new_secret() -> str:
    """Return a secret of 160 bits, as text that can be typed into an app."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def clean_code(typed: str) -> str:
    """Return a code as it is compared: without what people put between its parts."""
    return re.sub(r"[\s-]", "", typed).lower()


def is_app_code(code: str) -> bool:
    """Return whether a cleaned code looks like one of an app, not like a recovery code."""
    return APP_CODE.fullmatch(code) is not None


def find_step(code: str, *, secret: str, at: datetime) -> int | None:
    """Return the time step of which a code is, the latest of those around `at`; None for a wrong code."""
    app = _app(secret)
    present = int(at.timestamp() // STEP_SECONDS)
    # All are compared, so that the time does not tell how wrong a clock is.
    steps = [
        step
        for step in range(present - TOLERANCE, present + TOLERANCE + 1)
        if constant_time_compare(app.generate(step * STEP_SECONDS), code)
    ]
    return steps[-1] if steps else None


def app_address(*, secret: str, username: str) -> str:
    """Return what an app reads from a QR code: the secret, and what to call it."""
    return _app(secret).get_provisioning_uri(username, "Assay")


def draw_qr_code(address: str) -> str:
    """Return a QR code as an image in text (a data URL of SVG), black on white in every color scheme."""
    drawn: str = segno.make(address, error="m", micro=False).svg_data_uri(scale=5, light="#fff")
    return drawn


def new_recovery_codes() -> list[str]:
    """Return codes of 80 random bits, each in four groups."""
    return [_grouped(base64.b32encode(secrets.token_bytes(RECOVERY_BYTES))) for _ in range(RECOVERY_CODES)]


def hash_recovery_code(code: str) -> str:
    """Return what is stored of a recovery code; a slow hash would protect nothing of so many random bits."""
    return hashlib.sha256(clean_code(code).encode()).hexdigest()


def _grouped(code: bytes) -> str:
    return "-".join(re.findall("....", code.decode().lower()))


def _app(secret: str) -> TOTP:
    return TOTP(base64.b32decode(secret), DIGITS, SHA1(), STEP_SECONDS)  # noqa: S303
