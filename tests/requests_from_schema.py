"""Hostile requests for every operation of the API, made from its schema: bodies, parameters and addresses."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.routes import PARAMETER, Route, api_routes

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "frontend" / "src" / "api" / "schema.json").read_text(encoding="utf-8")
)
DEEP: Any = None
for _ in range(200):
    DEEP = [DEEP]
# As JSON text, since some of it is no value of any language.
HOSTILE_VALUES = [
    '"\\ud83d"',
    '"\\udc00 and more"',
    '"a\\u0000b"',
    '""',
    '" "',
    '"\\u202e\\ufeff\\u0007"',
    json.dumps("x" * 20_000),
    json.dumps("🙂" * 3_000),
    '"../../etc/passwd"',
    '"=1+1"',
    '"2026-13-45T99:00:00Z"',
    '"0001-01-01T00:00:00+23:59"',
    '"9999-12-31T23:59:59-23:59"',
    '"http://[::1"',
    '"(((((((((((a*)*)*)*"',
    '"{{{{.}}}} %s {0.__class__}"',
    "null",
    "true",
    "false",
    "0",
    "-1",
    "0.5",
    "1e-310",
    "1e300",
    "1e999",
    "-Infinity",
    "NaN",
    str(2**31),
    str(2**53 - 1),
    str(2**63),
    str(10**400),
    "9" * 5_000,
    "[]",
    "{}",
    "[null]",
    "[[]]",
    '["\\ud83d"]',
    '["a", "a"]',
    "[1, true, {}]",
    '{"a": {"b": 1}}',
    '{"\\ud83d": 1}',
    '{"": null}',
    json.dumps(["x"] * 3_000),
    json.dumps(DEEP),
    "[" * 5_000 + "]" * 5_000,
]
# What was found by attack: each is tried in a field of each operation even in the short form.
FOUND = ('"\\ud83d"', '"a\\u0000b"', "1e-310", "1e999", json.dumps(DEEP))
USUAL = "as it should be"
# In the place of a value: the field is not sent.
LEFT_OUT = object()
JSON = "application/json"
FORM = "multipart/form-data; boundary=x"
RAW_BODIES: list[tuple[str, bytes]] = [
    (JSON, b""),
    (JSON, b"null"),
    (JSON, b"[]"),
    (JSON, b"7"),
    (JSON, b'"text"'),
    (JSON, b"{"),
    (JSON, b"\xff\xfe{\x00}\x00"),
    (JSON, b'{"a": 1, "a": 2}'),
    (JSON, b"[" * 100_000),
    (JSON, b'{"a":' * 50_000),
    (JSON, b'{"\\ud83d": "\\ud83d"}'),
    (JSON, b" " * 5_300_000),
    (f"{JSON}; charset=utf-16", b"{}"),
    (f"{JSON}; charset=rot13", b"{}"),
    ("text/plain", b"{}"),
    ("application/x-www-form-urlencoded", b"a=%00&b=%ff"),
    (FORM, b"--x\r\nbroken"),
    (
        FORM,
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="\x00.csv"\r\n\r\n\xff\r\n--x--\r\n',
    ),
    (
        FORM,
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="../../a.jsonl"\r\n\r\n[\r\n'
        b'--x\r\nContent-Disposition: form-data; name="options"\r\n\r\n{"system": "\\ud83d"}\r\n--x--\r\n',
    ),
    ("multipart/form-data", b"no boundary"),
    ("", b"{}"),
    ("nonsense", b"{}"),
]
HOSTILE_PARAMETERS = [
    *("", "x", "%00", "%ED%A0%BD", "%FF", "-1", "0", "1", "9" * 20, "9" * 5_000, "1e999", "NaN", "true"),
    *("%5B%5D", "2026-99-99", "%F0%9F%99%82", "a" * 3_000, "a,b,,c", "..%2F..", "%25s"),
]
HOSTILE_PARTS = [
    *("%00", "%00.x", "%ED%A0%BD", "%FF", "..%2F..", "%2E%2E", "-1", "9" * 400, "a" * 3_000, "%F0%9F%99%82"),
    *("%20", "null", "a.b", "%E2%80%AE", "a%3Fb%23c"),
]


class Hostile(NamedTuple):
    """A request: what is odd about it, and all that is sent; `way` and `value`: of a field that is odd."""

    oddity: str
    method: str
    address: str
    body: bytes = b"{}"
    kind: str = JSON
    way: tuple[str | int, ...] = ()
    value: str = ""


class Operation(NamedTuple):
    """One route and method, with what the schema says of it."""

    route: Route
    method: str
    described: dict[str, Any]

    @property
    def name(self) -> str:
        """What it is called in a failure."""
        return f"{self.method} {self.route.template}"

    def address(self, ids: Mapping[str, str], *, slug: str) -> str:
        """Return its address for the things of a project."""
        known = {kind: ids.get(kind, "nothing.known") for kind in self.route.objects}
        return self.route.address(slug=slug, ids=known)

    def body(self, fields: Mapping[str, Any] | None = None) -> Any:
        """Return a body that is about right; fields: what stands in the place of what the schema suggests."""
        content = self.described.get("requestBody", {}).get("content", {})
        example = _example(content[JSON]["schema"]) if JSON in content else {}
        if not isinstance(example, dict):
            return example
        whole = {**example, **self.route.body(self.method), **(fields or {})}
        return {name: value for name, value in whole.items() if value is not LEFT_OUT}

    def requests(
        self, ids: Mapping[str, str], *, slug: str, fields: Mapping[str, Any] | None = None
    ) -> Iterator[Hostile]:
        """Yield every hostile form of it; fields: see `body`."""
        address, body = self.address(ids, slug=slug), self.body(fields)
        usual = json.dumps(body).encode()
        if self.method in {"POST", "PUT", "PATCH"}:
            yield from _bodies(self.method, address, body)
            yield from _forms(self.described, address)
        for parameter in self.described.get("parameters", []):
            if parameter["in"] == "query":
                for text in HOSTILE_PARAMETERS:
                    query = f"{parameter['name']}={text}"
                    yield Hostile(query[:60], self.method, f"{address}?{query}", usual)
        yield from self._addresses(address)

    def _addresses(self, address: str) -> Iterator[Hostile]:
        template, known = self.route.template.split("/"), address.split("/")
        for place, word in enumerate(template):
            if PARAMETER.match(word):
                for part in HOSTILE_PARTS:
                    odd = "/".join([*known[:place], part, *known[place + 1 :]])
                    yield Hostile(f"part {place} = {part[:30]}", self.method, odd)


def _bodies(method: str, address: str, body: Any) -> Iterator[Hostile]:
    yield Hostile(USUAL, method, address, json.dumps(body).encode())
    for kind, raw in RAW_BODIES:
        yield Hostile(f"{kind}: {raw[:30]!r}", method, address, raw, kind)
    for way in _ways(body):
        for value in HOSTILE_VALUES:
            text = replaced(body, {way: value}).encode()
            yield Hostile(f"{way} = {value[:30]}", method, address, text, way=way, value=value)


def _forms(described: Mapping[str, Any], address: str) -> Iterator[Hostile]:
    """Yield uploads of a file with options that are none, where an operation takes files."""
    if "multipart/form-data" not in described.get("requestBody", {}).get("content", {}):
        return
    for value in HOSTILE_VALUES:
        for options in (value, f'{{"system": {value}}}', f'{{"dataset": {value}, "format": {value}}}'):
            parts = (
                'name="files"; filename="a.jsonl"\r\n\r\n{"question": "q", "answer": "a", "prediction": "p"}',
                f'name="options"\r\n\r\n{options}',
            )
            body = "".join(f"--x\r\nContent-Disposition: form-data; {part}\r\n" for part in parts)
            yield Hostile(f"options {options[:30]}", "POST", address, f"{body}--x--\r\n".encode(), FORM)


def operations() -> list[Operation]:
    """Return every operation; fails where the schema lacks a route."""
    return [
        Operation(route, method, SCHEMA["paths"][PARAMETER.sub(r"{\1}", route.template)][method.lower()])
        for route in api_routes()
        for method in route.methods
    ]


def _example(schema: Mapping[str, Any]) -> Any:
    """Return a value that a schema allows, or nearly."""
    if "$ref" in schema:
        return _example(SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    for several in ("allOf", "oneOf"):
        if several in schema:
            return _example(schema[several][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _example(inner) for name, inner in schema.get("properties", {}).items()}
    if schema.get("type") == "array":
        return [_example(schema.get("items", {}))]
    return {"integer": schema.get("minimum", 1), "number": 0.5, "boolean": True}.get(
        schema.get("type", ""), "2026-01-01T00:00:00Z" if schema.get("format") == "date-time" else "something"
    )


def _ways(body: Any, *before: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every value within a body."""
    if isinstance(body, dict | list):
        for key, value in body.items() if isinstance(body, dict) else enumerate(body):
            yield (*before, key)
            yield from _ways(value, *before, key)


def replaced(body: Any, values: Mapping[tuple[str | int, ...], str]) -> str:
    """Return a body as JSON with the texts of values in some places, none of them within another."""
    copied = json.loads(json.dumps(body))
    for number, way in enumerate(values):
        around = copied
        for key in way[:-1]:
            around = around[key]
        around[way[-1]] = f"HOSTILE {number}."
    text = json.dumps(copied)
    for number, value in enumerate(values.values()):
        text = text.replace(f'"HOSTILE {number}."', value)
    return text
