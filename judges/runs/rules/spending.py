"""How many tokens a prompt has: at most, which bounds what a call may cost, and about."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

# A server wraps each message, and the whole, in words of its own.
TOKENS_A_MESSAGE = 16
TOKENS_A_PROMPT = 64


def most_input_tokens(*, texts: Sequence[str], schema: Mapping[str, Any] | None = None) -> int:
    """Return more tokens than any tokenizer over bytes can make of a prompt: one a byte, and the wrapping."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) + TOKENS_A_MESSAGE for text in texts)
    spelled = len(json.dumps(schema).encode()) if schema else 0
    return size + spelled + TOKENS_A_PROMPT


def likely_tokens(texts: Sequence[str]) -> int:
    """Return about how many tokens a prompt has: four bytes make one in English, and less elsewhere."""
    return sum(len(text.encode("utf-8", "surrogatepass")) // 4 + 4 for text in texts)
