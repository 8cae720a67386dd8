"""A reproduced study as text: its tables, what its paper printed, and every figure that --json has."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commands.report_tables import filled_by_exact_match, report_lines
from commands.reproduction.gpt3qa import lines_of_gpt3qa
from commands.reproduction.published import Compared, lines_of_published

# What names an entry of a list, the first of these that it has.
_NAMES = ("name", "key", "missing_votes", "system", "a")
_SHOWN_IN_TABLES = ("published", "fuzzy_match")


def lines_of_reproduction(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a report; every number of it stands in one of them, to six digits."""
    yield from report_lines(dict(report))
    if "fuzzy_match" in report:
        yield from lines_of_gpt3qa(dict(report))
    yield from lines_of_published(Compared(**row) for row in report.get("published", ()))
    yield ""
    yield "All figures, to six digits and under their --json names; shares are from 0 to 1"
    rest = {name: value for name, value in report.items() if name not in _SHOWN_IN_TABLES}
    yield from figure_lines({**rest, "entire": _say_what_is_filled(report)})


def _say_what_is_filled(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return scores over all questions; people's say how little of them is theirs, in each line of them."""
    filled = filled_by_exact_match(dict(report))
    rows = []
    for row in report["entire"]:
        share = row["decided_share"]
        is_filled = filled if share is not None and share < 1 else set()
        words = f"(people decided {_word(100 * (share or 0))}%; the rest is scored by exact match)"
        scores = {f"{key} {words}" if key in is_filled else key: each for key, each in row["scores"].items()}
        rows.append({**row, "scores": scores})
    return rows


def figure_lines(value: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield one line an object: where it stands and its plain values; only empty lists are left out."""
    plain = {name: each for name, each in value.items() if _is_plain(each)}
    if plain:
        words = ", ".join(f"{name} {_word(each)}" for name, each in plain.items())
        yield f"  {path or 'report'}: {words}"
    for name, each in value.items():
        if name not in plain:
            yield from _deeper(each, f"{path} {name}".strip())


def _deeper(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from figure_lines(value, path)
        return
    for number, each in enumerate(value):
        found = next((each[name] for name in _NAMES if each.get(name)), number)
        yield from figure_lines(each, f"{path} [{found}]")


def _is_plain(value: Any) -> bool:
    if isinstance(value, Mapping):
        return False
    return isinstance(value, str) or not isinstance(value, Sequence) or not any(map(_is_nested, value))


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _word(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"({'; '.join(map(_word, value))})"
    if isinstance(value, float):
        return f"{value:.6g}"
    return "-" if value is None else str(value)
