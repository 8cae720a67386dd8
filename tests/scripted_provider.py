"""A sign-in provider of our own that speaks OpenID Connect, and misbehaves as a test says.

As a program, for looking at pages: `python -m tests.scripted_provider PORT`.
"""

import base64
import hashlib
import json
import secrets
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from tests.hostile import Listening

CLIENT_ID, CLIENT_SECRET = "assay", "s3cret:/+ %ü"


@cache
def rsa_key(name: str = "first", bits: int = 2048) -> rsa.RSAPrivateKey:
    """Return a key by its name; making one takes long."""
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


@cache
def ec_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def public_jwk(key: Any, *, kid: str, **more: Any) -> dict[str, Any]:
    algorithm: Any = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": kid, "use": "sig", **more}


class Granted(NamedTuple):
    """What the provider knows of a code that it gave."""

    nonce: str
    challenge: str
    redirect_uri: str
    person: dict[str, Any]


class ScriptedProvider(Listening):
    """A provider on 127.0.0.1. Its attributes say what it does; `broken` maps a path to bytes it sends."""

    def __init__(self, *, port: int = 0) -> None:
        self.person: dict[str, Any] = {
            "sub": "lea-7",
            "preferred_username": "lea.muster",
            "name": "Lea Muster",
        }
        self.keys = [public_jwk(rsa_key(), kid="first")]
        self.signs: Callable[[dict[str, Any]], str] = lambda claims: self.sign(claims)
        self.metadata_changes: dict[str, Any] = {}
        self.claims_changes: dict[str, Any] = {}
        self.broken: dict[str, tuple[int, bytes]] = {}
        # So long it waits, at most until it is closed.
        self.waits: dict[str, float] = {}
        self.replays_codes = False
        self.seen: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.authorizations: list[str] = []
        self._codes: dict[str, Granted] = {}
        provider = self

        class Handler(_Handler):
            owner = provider

        super().__init__(Handler, port=port)

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/realms/example"

    def metadata(self) -> dict[str, Any]:
        told = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }
        return {name: value for name, value in {**told, **self.metadata_changes}.items() if value is not None}

    def approve(self, address: str) -> str:
        """Return the redirect for a person who says yes at an address."""
        asked = dict(parse_qsl(urlsplit(address).query))
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["client_id"] == CLIENT_ID
        code = secrets.token_urlsafe(16)
        self._codes[code] = Granted(
            asked["nonce"], asked["code_challenge"], asked["redirect_uri"], dict(self.person)
        )
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def redeem(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Return what a code is worth."""
        self.forms.append(form)
        self.authorizations.append(authorization)
        granted = self._codes.get(form.get("code", ""))
        if granted is None or not self._is_client(form, authorization):
            return 400, {"error": "invalid_grant"}
        if not self.replays_codes:
            del self._codes[form["code"]]
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        is_verified = base64.urlsafe_b64encode(digest).decode().rstrip("=") == granted.challenge
        if not is_verified or form["redirect_uri"] != granted.redirect_uri:
            return 400, {"error": "invalid_grant"}
        token = self.signs(self.claims(granted.nonce, granted.person))
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": token}

    def _is_client(self, form: dict[str, str], authorization: str) -> bool:
        if authorization:
            pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            client, _, secret = pair.partition(":")
            return (unquote_plus(client), unquote_plus(secret)) == (CLIENT_ID, CLIENT_SECRET)
        return (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)

    def claims(self, nonce: str, person: dict[str, Any] | None = None) -> dict[str, Any]:
        at = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT_ID, "iat": at, "exp": at + 300, "nonce": nonce}
        told = {**usual, **(person or self.person), **self.claims_changes}
        return {name: value for name, value in told.items() if value is not None}

    def sign(
        self, claims: dict[str, Any], *, key: Any = None, algorithm: str = "RS256", kid: str | None = "first"
    ) -> str:
        headers = {} if kid is None else {"kid": kid}
        return jwt.encode(claims, key or rsa_key(), algorithm=algorithm, headers=headers)


class _Handler(BaseHTTPRequestHandler):
    owner: ScriptedProvider

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _path(self) -> str:
        return self.path.partition("?")[0].removeprefix("/realms/example")

    def _is_broken(self) -> bool:
        path = self._path()
        self.owner.seen.append(path)
        if path in self.owner.waits:
            self.owner.closing.wait(self.owner.waits[path])
        if path in self.owner.broken:
            status, body = self.owner.broken[path]
            self._send(status, body)
            return True
        return False

    def do_GET(self) -> None:
        if self._is_broken():
            return
        if self._path() == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.owner.approve(self.path))
            self.end_headers()
        elif self._path() == "/keys":
            self._send_json(200, {"keys": self.owner.keys})
        elif self._path() == "/.well-known/openid-configuration":
            self._send_json(200, self.owner.metadata())
        else:
            self._send(404, b"")

    def do_POST(self) -> None:
        if self._is_broken():
            return
        length = int(self.headers.get("Content-Length", "0"))
        form = {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}
        self._send_json(*self.owner.redeem(form, self.headers.get("Authorization", "")))

    def _send_json(self, status: int, body: Any) -> None:
        self._send(status, json.dumps(body).encode())

    def _send(self, status: int, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # Whoever asked has had enough.
            return


if __name__ == "__main__":
    with ScriptedProvider(port=int(sys.argv[1])) as started:
        print(started.issuer, flush=True)
        threading.Event().wait()
