"""The report as lines of text for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotation.agreement.rules.measures import OF_RATERS, ORDINAL
from annotation.release.rules import count_of
from common.figures import FIGURES


def report_lines(report: dict[str, Any]) -> Iterator[str]:
    """Return the lines of a report, percentages where shares are meant."""
    for agreement in report["agreement"]:
        yield from _agreement_lines(agreement)
    yield from _system_lines("Systems, judged questions", report["systems"], report["questions"]["sample"])
    if report["questions"]["entire"] != report["questions"]["sample"]:
        yield from _entire_lines(report)
    if report["prejudging"]:
        yield from _prejudging_lines(report["prejudging"])
    yield from _judge_lines(report["judges"])


def _agreement_lines(agreement: dict[str, Any]) -> Iterator[str]:
    yield f"Agreement (missing votes: {agreement['missing_votes']})"
    disagreements = count_of(agreement["disagreements"], "disagreement")
    yield f"  {count_of(agreement['items'], 'answer')}, {disagreements}"
    for key in OF_RATERS:
        if key == ORDINAL:
            continue
        interval = agreement["interval"][key]
        bounds = f"  [{_percent(interval[0])}, {_percent(interval[1])}]" if interval else ""
        value = agreement[key]
        words = agreement["words"].get(key, "")
        yield f"  {FIGURES[key].plain:<21}{_percent(value) if value is not None else words}{bounds}"
    yield ""


def _entire_lines(report: dict[str, Any]) -> Iterator[str]:
    """Return scores over all questions, without people's where programs would speak for most of them."""
    rows = report["entire"]
    shares = [row["decided_share"] for row in rows if row["decided_share"] is not None]
    if shares and min(shares) < 1:
        by_people = filled_by_exact_match(report)
        rows = [
            {**row, "scores": {key: score for key, score in row["scores"].items() if key not in by_people}}
            for row in rows
        ]
    yield from _system_lines("Systems, all questions", rows, report["questions"]["entire"])
    if shares and min(shares) < 1:
        bounds = f"{_percent(min(shares))} to {_percent(max(shares))}"
        yield (
            f"  People decided {bounds}% of each system’s answers. There is no column for people, because "
            "it would score the other answers by exact match."
        )
        yield ""


def filled_by_exact_match(report: dict[str, Any]) -> set[str]:
    """Return the columns of people that count what nobody decided by exact match."""
    return {each["key"] for each in report["columns"] if each["kind"] != "judge"} - {"human_decided"}


def _system_lines(title: str, rows: Sequence[dict[str, Any]], questions: int) -> Iterator[str]:
    keys = list(dict.fromkeys(key for row in rows for key in row["scores"]))
    table = [[row["label"], str(row["n"]), *(_cell(row["scores"].get(key)) for key in keys)] for row in rows]
    yield f"{title}: {questions}"
    yield from _table(["system", "n", *keys], table)
    yield ""


def _cell(score: dict[str, Any] | None) -> str:
    if score is None:
        return "-"
    if "mean" in score:
        return _percent(score["mean"])
    # What the audit corrects is an estimate, and no count of answers.
    count = "" if score["correct"] is None else f" ({score['correct']})"
    return f"{_percent(score['accuracy'])}{count}"


def _prejudging_lines(found: dict[str, Any]) -> Iterator[str]:
    yield f"Pre-judging: judges settled {_percent(found['programs_share'])}% of the systems’ answers"
    for number, rule in enumerate(found["rules"], start=1):
        yield f"  {number}. {rule['text']}: {rule['settled']} settled, {rule['drawn']} sampled for the audit"
        yield f"     {_audited(rule)}"
    if len(found["rules"]) > 1:
        yield f"  All rules: {found['settled']} settled, {found['drawn']} sampled for the audit"
        yield f"     {_audited(found)}"
    yield ""


def _audited(figures: dict[str, Any]) -> str:
    if figures["disagreed_share"] is None:
        return str(figures["words"])
    low, high = figures["interval"]
    share = _percent(figures["disagreed_share"])
    return f"{figures['words']} Disagreement: {share}%  [{_percent(low)}, {_percent(high)}]"


def _judge_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    counts = ["tp", "fn", "fp", "tn", "unscored"]
    shares = ["accuracy_all", "accuracy_scored", "coverage", "macro_f1"]
    table = [
        [
            row["key"],
            *(str(row[name]) for name in counts),
            *(_percent(row[name]) for name in shares),
            "-" if row["kendall_tau_b"] is None else f"{row['kendall_tau_b']:.4f}",
        ]
        for row in rows
    ]
    yield "Judges compared with people"
    yield from _table(["judge", *counts, *shares, "kendall_tau_b"], table)
    if any("weighed" in row for row in rows):
        yield (
            "  Counts include only answers that people decided. In shares, each audited answer is "
            "weighted by the inverse of its sampling probability."
        )


def _table(header: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *others in lines:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        yield "  " + "  ".join([first.ljust(widths[0]), *cells])


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"
