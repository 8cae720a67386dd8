"""Check an ID token: who signed it, for whom, when, and for which sign-in (OpenID Connect Core, 3.1.3.7)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import jwt
from django.utils.crypto import constant_time_compare

from annotation.accounts.sso.provider import Provider

# By a key that everybody may know. One that both know, or none, proves nothing: our secret is the client's.
KINDS = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), "RSA"),
    **dict.fromkeys(("ES256", "ES384", "ES512"), "EC"),
    "EdDSA": "OKP",
}
# A key without its private half, should anybody publish that.
PUBLIC_PARTS = ("kty", "crv", "n", "e", "x", "y")
LEAST_RSA_BITS, MOST_RSA_BITS = 2_048, 8_192
# Base64 of the largest such number.
LONGEST_PART = 1_400
LONGEST_TOKEN = 50_000
# Clocks differ.
LEEWAY = timedelta(minutes=1)
OLDEST = timedelta(minutes=10)
LONGEST_SUBJECT = 255
# A larger whole number has perhaps no float.
LATEST = 2**53


class BadToken(Exception):
    """The token proves nothing; why is for the administrator."""


class UnknownKey(BadToken):
    """None of the keys that are known signed it; there may be newer ones."""


class Claims(NamedTuple):
    """Who signed in: `subject` is the provider's own name for them, the others are no proof of anything."""

    subject: str
    username: str
    name: str


def check(
    token: object, *, keys: Sequence[Mapping[str, Any]], provider: Provider, nonce: str, at: datetime
) -> Claims:
    """Return who signed in; raises `BadToken`, and `UnknownKey` where newer keys may help."""
    if not isinstance(token, str) or len(token) > LONGEST_TOKEN:
        raise BadToken("there is no ID token")
    claims = _open(token, keys=keys, provider=provider)
    _require_client(claims, provider)
    _require_time(claims, at=at)
    said = claims.get("nonce")
    # Half a surrogate pair has no UTF-8 to compare.
    if not isinstance(said, str) or not said.isascii() or not constant_time_compare(said, nonce):
        raise BadToken("the nonce does not match this sign-in")
    return Claims(_subject(claims), _text(claims, "preferred_username"), _text(claims, "name"))


def _open(token: str, *, keys: Sequence[Mapping[str, Any]], provider: Provider) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(token)
        key = _find_key(header, keys)
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[key.algorithm_name],
            audience=provider.client_id,
            issuer=provider.issuer,
            # Of the time its own clock would be asked.
            options={
                "require": ["iss", "aud", "sub", "exp", "iat"],
                "verify_exp": False,
                "verify_iat": False,
                "verify_nbf": False,
                "enforce_minimum_key_length": True,
            },
        )
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError, OverflowError) as error:
        raise BadToken(ascii(str(error))[:200]) from None
    return claims


def _find_key(header: Mapping[str, Any], keys: Sequence[Mapping[str, Any]]) -> jwt.PyJWK:
    algorithm, kid = header.get("alg"), header.get("kid")
    kind = KINDS.get(algorithm) if isinstance(algorithm, str) else None
    if kind is None:
        raise BadToken(f"the algorithm {ascii(algorithm)[:50]} is not accepted")
    fitting = [
        key
        for key in keys
        if key.get("kty") == kind
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and kid in {None, key.get("kid") if isinstance(key.get("kid"), str) else ""}
    ]
    if len(fitting) != 1:
        raise UnknownKey(f"{len(fitting)} keys are called {ascii(kid)[:100]}")
    return _public_key(fitting[0], str(algorithm))


def _public_key(found: Mapping[str, Any], algorithm: str) -> jwt.PyJWK:
    parts = {part: found[part] for part in PUBLIC_PARTS if part in found}
    if any(not isinstance(part, str) or len(part) > LONGEST_PART for part in parts.values()):
        raise BadToken("the key is too large")
    key = jwt.PyJWK(parts, algorithm=algorithm)
    if parts["kty"] == "RSA" and not LEAST_RSA_BITS <= key.key.key_size <= MOST_RSA_BITS:
        raise BadToken(f"the key has {key.key.key_size} bits")
    return key


def _require_client(claims: Mapping[str, Any], provider: Provider) -> None:
    audience, party = claims["aud"], claims.get("azp")
    is_for_several = isinstance(audience, list) and len(audience) > 1
    if (is_for_several or party is not None) and party != provider.client_id:
        raise BadToken("it was issued to another client")


def _require_time(claims: Mapping[str, Any], *, at: datetime) -> None:
    issued, expires = _seconds(claims, "iat"), _seconds(claims, "exp")
    begins = _seconds(claims, "nbf") if "nbf" in claims else issued
    present, leeway = at.timestamp(), LEEWAY.total_seconds()
    if expires + leeway <= present:
        raise BadToken("it has expired")
    if max(issued, begins) - leeway > present:
        raise BadToken("it is from the future: check both clocks")
    if issued + OLDEST.total_seconds() + leeway <= present:
        raise BadToken("it is too old: check both clocks")


def _seconds(claims: Mapping[str, Any], name: str) -> float:
    value = claims[name]
    # What is no number at all (NaN) is between no two.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LATEST:
        raise BadToken(f"{name} is not a valid time")
    return float(value)


def _subject(claims: Mapping[str, Any]) -> str:
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
        raise BadToken("sub is not a valid subject")
    # Half a surrogate pair has no UTF-8, and is not printable either.
    return subject


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return "".join(sign for sign in value[:300] if sign.isprintable()) if isinstance(value, str) else ""
