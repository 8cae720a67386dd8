"""Patterns that make backtracking engines hang, and long texts that they hang on."""

import random

HANGS_BACKTRACKERS = (
    r"(a+)+$",
    r"(a*)*b",
    r"(a|a)*b",
    r"(a|aa)+$",
    r"(a|a?)+$",
    r"(a|b|ab)*c",
    r"(x+x+)+y",
    r"(.*a){20}",
    r"(.*)(.*)(.*)(.*)z",
    r".*.*.*=.*",
    r"(?:[a-z]+\s?)+$",
    r"(?:\w+\s*)+:",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}$",
    r"^(?:(?:a+)+b?)+$",
    r"(?:a?){12}a{12}",
    r"(?:a?){500}a{500}",
    r"((a{1,30}){1,30})z",
    r"(?:(?:a|b){0,30}){0,30}c",
    r"[ab]*a[ab]{20}c",
    r"[ab]*a[ab]{400}c",
    r"(?:\p{L}.{0,100})b",
    r"\s+$",
    r"<!--.*?-->",
    r"(?:(?:\d+,?)+)*x",
    r"(?:0|1(?:01*0)*1)*$",
)
_LENGTH = 100_000
_random = random.Random(17)
TEXTS = (
    "a" * (_LENGTH - 1) + "!",
    "ab" * (_LENGTH // 2),
    "".join(_random.choices("ab", k=_LENGTH)),
    "".join(_random.choices("abcxyz =<>!-,0123456789", k=_LENGTH)),
    "x" * _LENGTH,
    " " * _LENGTH,
    "1," * (_LENGTH // 2),
    "é中" * (_LENGTH // 6),
)
