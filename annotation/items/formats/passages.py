"""Passages of a cell: texts, objects, or columns of them, as files have them."""

import math
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from annotation.items.formats.golds import BadGold, begins_as_list, listed_in
from annotation.items.formats.records import OptionSpec, PassageRecord
from annotation.items.formats.tables import BadCell

# Of a question, and of what one system retrieved for it.
MOST_PASSAGES = 200
LONGEST_PASSAGE = 20_000
LONGEST_TITLE = 300
LONGEST_SOURCE = 2_000
KEEP, SHORTEN, LEAVE_OUT = "keep", "shorten", "leave_out"
PASSAGES_OPTION = OptionSpec(
    "passages",
    KEEP,
    (KEEP, SHORTEN, LEAVE_OUT),
    f"What to do with passages. Keep: import them; a row with more than {MOST_PASSAGES} passages, or with "
    f"a passage longer than {LONGEST_PASSAGE:,} characters, is refused. Shorten: cut lists and passages to "
    "these limits. Leave out: import no passages.",
)
# What a passage's fields are called, in the order in which they are looked for.
OF_TEXT = (
    *("text", "passage_text", "context", "passage", "content", "contents", "page_content", "body"),
    *("search_context", "wiki_context", "paragraph_text", "sentences"),
)
_ENDS_OF_SENTENCES = (".", "!", "?", '."', ".”", ".)")
OF_TITLE = ("title", "wikipedia_title", "doc_title")
OF_SOURCE = ("source", "url", "passage_id", "psg_id", "docid", "doc_id", "wikipedia_id", "filename", "id")
OF_GOLD = ("is_gold", "is_selected", "is_supporting")


def passages_in(value: Any, column: str, *, way: str = KEEP) -> tuple[PassageRecord, ...]:
    """Return the passages of a cell, in order, without empty ones; raises `BadCell`.

    Read are a text, a list of texts or objects (also as JSON or a Python list in a text), and an object of
    lists, one a field. way: what is done with too many and too long ones, see `PASSAGES_OPTION`.
    """
    if way == LEAVE_OUT or value is None or value == "":
        return ()
    found: list[PassageRecord] = []
    for number, each in enumerate(_elements(value, column), start=1):
        passage = _limited(_passage(each, column, number), column, number, way=way)
        if not (passage.text or passage.title or passage.source):
            continue
        if len(found) == MOST_PASSAGES:
            if way == SHORTEN:
                break
            message = f"“{column}” has more than {MOST_PASSAGES} passages. {_way_out()}"
            raise BadCell(column, "too_many_passages", message)
        found.append(passage)
    return tuple(found)


def _way_out() -> str:
    return "To import the row, set “Passages” to “shorten” or “leave out.”"


def _elements(value: Any, column: str) -> Iterator[Any]:
    if isinstance(value, str):
        value = _listed(value, column)
    if isinstance(value, Mapping):
        columns = [each for each in value.values() if isinstance(each, list)]
        if columns and len(columns) == len(value):
            yield from (dict(zip(value, cells, strict=True)) for cells in zip_longest(*value.values()))
            return
        value = [value]
    yield from value if isinstance(value, list) else [value]


def _listed(text: str, column: str) -> Any:
    try:
        listed = listed_in(text)
    except BadGold:
        message = (
            f"The list in “{column}” is nested too deeply, or contains a null character or an unpaired "
            "surrogate."
        )
        raise BadCell(column, "passage_not_text", message) from None
    # “[1]” and “[sic]” are texts.
    is_list = listed is not None and all(isinstance(each, str | Mapping) for each in listed)
    if not is_list and begins_as_list(text):
        message = (
            f"“{column}” seems to contain a list, but it is written neither in JSON nor as a Python list of "
            "texts, or it was cut off. Save the list as JSON, or set “Passages” to “leave out.”"
        )
        raise BadCell(column, "passage_not_text", message)
    return listed if is_list else text


def _passage(value: Any, column: str, number: int) -> PassageRecord:
    if value is None:
        return PassageRecord("")
    if isinstance(value, str):
        return PassageRecord(value.strip(), rank=number)
    if _is_titled(value):
        value = {"title": value[0], "sentences": value[1]}
    if not isinstance(value, Mapping):
        message = f"Passage {number} in “{column}” is neither text nor an object."
        raise BadCell(column, "passage_not_text", message)
    if value and value.keys().isdisjoint((*OF_TEXT, *OF_TITLE, *OF_SOURCE)):
        message = (
            f"Passage {number} in “{column}” has no text: none of its fields is called "
            f"{', '.join(OF_TEXT[:5])}, title, or url."
        )
        raise BadCell(column, "passage_not_text", message)
    return PassageRecord(
        text=_text(value, OF_TEXT, column, number),
        title=_text(value, OF_TITLE, column, number),
        source=_text(value, OF_SOURCE, column, number),
        is_gold=_mark(value),
        rank=_rank(value.get("rank"), number),
        score=_score(value.get("score")),
    )


def _is_titled(value: Any) -> bool:
    """Whether a passage is a pair of its title and its sentences, as HotpotQA has it."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], list)
    )


def _text(value: Mapping[str, Any], names: tuple[str, ...], column: str, number: int) -> str:
    for name in names:
        said = value.get(name)
        if isinstance(said, str) and said.strip():
            return said.strip()
        if isinstance(said, int | float) and not isinstance(said, bool):
            return str(said)
        # HotpotQA and others have a passage's sentences as a list.
        if isinstance(said, list) and said and all(isinstance(each, str) for each in said):
            return _joined(said)
        if said not in (None, "", [], {}) and not isinstance(said, str):
            message = f"“{name}” of passage {number} in “{column}” is not text."
            raise BadCell(column, "passage_not_text", message)
    return ""


def _joined(sentences: list[str]) -> str:
    """Return sentences as one text: HotpotQA's bring their spaces along, 2WikiMultihopQA's do not."""
    parts: list[str] = []
    for sentence in sentences:
        if parts and parts[-1].endswith(_ENDS_OF_SENTENCES) and sentence[:1].isalnum():
            parts.append(" ")
        parts.append(sentence)
    return "".join(parts).strip()


def _mark(value: Mapping[str, Any]) -> bool | None:
    said = next((value[name] for name in OF_GOLD if value.get(name) is not None), None)
    return bool(said) if isinstance(said, int) else None


def _rank(said: Any, number: int) -> int:
    is_rank = isinstance(said, int) and not isinstance(said, bool) and 0 < said < 1_000_000
    return said if is_rank else number


def _score(said: Any) -> float | None:
    if isinstance(said, bool):
        return None
    try:
        score = float(said)
    except (TypeError, ValueError, OverflowError):
        return None
    return score if math.isfinite(score) else None


def _limited(passage: PassageRecord, column: str, number: int, *, way: str) -> PassageRecord:
    limits = {"text": LONGEST_PASSAGE, "title": LONGEST_TITLE, "source": LONGEST_SOURCE}
    for name, limit in limits.items():
        said = getattr(passage, name)
        if len(said) <= limit:
            continue
        if way != SHORTEN:
            what = f"Passage {number}" if name == "text" else f"The {name} of passage {number}"
            message = (
                f"{what} in “{column}” has {len(said):,} characters; at most {limit:,} are "
                f"allowed. {_way_out()}"
            )
            raise BadCell(column, "passage_too_long", message)
        passage = passage._replace(**{name: said[:limit]})
    return passage
