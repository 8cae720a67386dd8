"""Make the messages of one call out of a prompt and an answer; others' text goes in as data."""

import hashlib
import json
import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from judges.methods.llm.client import Message
from judges.methods.llm.hidden import strip_hidden
from judges.methods.llm.prompts import PromptTemplate
from judges.protocol import JudgeInput

_PLACEHOLDER = re.compile(r"\{(\w+)\}(\??)")
# Begun by a "<" or a ">", or neither.
_PIECES = re.compile(r"[<>]?[^<>]+|[<>]")
_MARKER = re.compile(r"<\s*(?:/\s*)?data-[0-9a-f]+\s*(?:/\s*)?>", re.IGNORECASE)


class WorkedExample(NamedTuple):
    """An answer that people judged, shown to the model before the one it judges."""

    question: str
    golds: tuple[str, ...]
    answer: str
    is_correct: bool


def render(
    template: PromptTemplate, item: JudgeInput, *, seed: int = 0, examples: Sequence[WorkedExample] = ()
) -> tuple[Message, ...]:
    """Return the messages that ask about one answer.

    `{data}` brings text as JSON without our markers and without hidden characters; the other placeholders
    bring it as it is, as published prompts do. The name of the markers follows from seed and text.
    """
    fence = fence_of(item, seed=seed)
    values = {
        "question": item.question,
        "golds": "/".join(item.golds),
        "golds_or": " or ".join(item.golds),
        "answer": item.answer,
        "examples": "\n\n".join(map(_example, examples)),
        "data": fenced(item, fence),
        "fence": fence,
    }
    messages = (Message("system", template.system), Message("user", template.template))
    return tuple(
        message._replace(content=_fill(message.content, values)) for message in messages if message.content
    )


def _fill(text: str, values: dict[str, str]) -> str:
    # One pass, so that braces inside an answer are never taken for placeholders.
    def put(found: re.Match[str]) -> str:
        value, mark = values[found[1]], found[2]
        # "{question}?" as published, without a second mark where the question brings its own.
        return value if mark and value.endswith("?") else value + mark

    return _PLACEHOLDER.sub(put, text)


def _example(example: WorkedExample) -> str:
    said = "Yes" if example.is_correct else "No"
    golds = "/".join(example.golds)
    return (
        f"Question: {example.question}\nGold answers: {golds}\n"
        f"AI-generated answer: {example.answer}\nVerdict: {said}"
    )


def fenced(item: JudgeInput, fence: str) -> str:
    """Return question, gold answers and answer as one JSON object between two markers."""
    case = {
        "question": as_data(item.question),
        "gold_answers": [as_data(gold) for gold in item.golds],
        "answer": as_data(item.answer),
    }
    return f"<{fence}>\n{json.dumps(case, ensure_ascii=False)}\n</{fence}>"


def as_data(text: str) -> str:
    """Return text without hidden characters and without anything that looks like our markers.

    Where one goes, what is left may close up to another, which goes, too. No two markers overlap, so they
    go in one pass: what a ">" ends is a marker or never becomes part of one.
    """
    done: list[str] = []
    # Each begins with a "<" that a later ">" may end.
    begun: list[list[str]] = []
    for piece in _PIECES.findall(strip_hidden(text)):
        if piece.startswith("<"):
            begun.append([piece])
        elif begun and piece.startswith(">") and not _MARKER.fullmatch("".join(begun[-1]) + ">"):
            done += ["".join(part) for part in begun] + [piece]
            begun = []
        elif begun and piece.startswith(">"):
            begun.pop()
            (begun[-1] if begun else done).append(piece[1:])
        else:
            (begun[-1] if begun else done).append(piece)
    return "".join(done + ["".join(part) for part in begun])


def fence_of(item: JudgeInput, *, seed: int) -> str:
    """Return the name of the markers for one call: nobody can write it into a text on which it depends."""
    text = json.dumps([seed, item.question, item.golds, item.answer])
    return f"data-{hashlib.sha256(text.encode()).hexdigest()[:20]}"


def shuffled_golds(item: JudgeInput, *, seed: int, repeat: int = 0) -> JudgeInput:
    """Return the input with its gold answers in an order that follows from seed, text and repetition."""
    chance = random.Random(json.dumps([seed, repeat, item.question, item.golds]))
    return item._replace(golds=tuple(chance.sample(item.golds, len(item.golds))))


def hash_examples(examples: Sequence[WorkedExample]) -> str:
    """Return the SHA-256 of worked examples in their order; "none" where there are none."""
    if not examples:
        return "none"
    return hashlib.sha256(json.dumps([list(example) for example in examples]).encode()).hexdigest()
