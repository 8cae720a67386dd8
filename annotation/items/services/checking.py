"""Read an import without storing anything of it: what is wrong with it, and what it would do."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from annotation.items import selectors
from annotation.items.formats.records import (
    ItemRecord,
    Problem,
    Record,
    Severity,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.models import DataImport
from annotation.items.services.foreseeing import Foresight
from annotation.items.services.reading import chunks, read_source
from common.clock import now

LEASE = timedelta(minutes=5)
SHOWN_PROBLEMS = 100
SHOWN_ROWS = 5
# Of several files, each shows how it was read, as far as a page can hold them.
SHOWN_ROWS_OF_EACH = 2
SHOWN_FILES = 10


@dataclass
class Findings:
    """What a check found; errors are shown before warnings, and the first of each sort first of all."""

    counts: Counter[str] = field(default_factory=Counter)
    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    error_count: int = 0
    rows: int = 0
    sample: list[dict[str, Any]] = field(default_factory=list)
    files: tuple[str, ...] = ()

    def note(self, problem: Problem) -> None:
        """Count a problem, and keep it if it is among the first."""
        self.problem_count += 1
        self.error_count += problem.is_error
        kept = self.errors if problem.severity is Severity.ERROR else self.warnings
        if len(kept) < SHOWN_PROBLEMS:
            kept.append(problem)

    def show(self, record: Record, *, file: str) -> None:
        """Keep a row as it was understood, if it is among the first of its file."""
        is_alone = len(self.files) == 1
        row = _preview(record) if is_alone else {"file": file, **_preview(record)}
        if is_alone or file in self.files[:SHOWN_FILES]:
            self.sample.append(row)

    def in_order(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems as they stand in the files, which is not the order in which they are found."""
        places = {name: place for place, name in enumerate(self.files)}
        return sorted(problems, key=lambda each: (places.get(each.file, len(places)), each.line))

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The problems that are kept, as JSON."""
        kept = (*self.in_order(self.errors), *self.in_order(self.warnings))
        return [asdict(problem) for problem in kept[:SHOWN_PROBLEMS]]


def check_import(*, import_id: int) -> None:
    """Check an import that waits for it; one that is checked already stays as it is."""
    waiting = DataImport.objects.filter(pk=import_id, state=DataImport.State.CHECKING)
    if not waiting.update(lease_expires_at=now() + LEASE):
        return
    data_import = waiting.select_related("project__protocol").get()
    findings = inspect(data_import)
    is_refused = findings.error_count > 0
    waiting.update(
        state=DataImport.State.REFUSED if is_refused else DataImport.State.READY,
        counts=dict(findings.counts),
        sample=findings.sample,
        problems=findings.shown,
        problem_count=findings.problem_count,
        rows_total=findings.rows,
        rows_done=0,
        message=_message(findings),
        lease_expires_at=None,
    )


def inspect(data_import: DataImport) -> Findings:
    """Read all files of an import and return what was found."""
    sources = list(selectors.sources_of(data_import))
    findings = Findings(files=tuple(source.name for source in sources))
    foresight = Foresight(data_import)
    for source in sources:
        found = read_source(data_import, source)
        for chunk in chunks(_records(found, findings, file=source.name)):
            for problem in foresight.take(chunk, file=source.name):
                findings.note(problem)
    for problem in foresight.finish():
        findings.note(problem)
    findings.counts = foresight.counts
    if not findings.rows and not findings.error_count:
        for source in sources:
            findings.note(source.error("no_rows", "The file holds no rows.", line=1))
    return findings


def _records(found: Iterable[Record | Problem], findings: Findings, *, file: str) -> Iterator[Record]:
    most = SHOWN_ROWS if len(findings.files) == 1 else SHOWN_ROWS_OF_EACH
    seen = 0
    for one in found:
        if isinstance(one, Problem):
            findings.note(one)
            continue
        findings.rows += 1
        if seen < most:
            findings.show(one, file=file)
            seen += 1
        yield one


def _preview(record: Record) -> dict[str, Any]:
    if isinstance(record, ItemRecord):
        return {
            "line": record.line,
            "question": record.question.text or record.question.external_id,
            "gold": [gold.text for gold in record.question.golds],
            "answers": {each.system: each.text for each in record.predictions},
            **({"decided": {each.text: each.word for each in record.listed}} if record.listed else {}),
        }
    if isinstance(record, VoteRecord):
        votes = {vote.rater: vote.label for vote in record.votes}
        return {"line": record.line, "question": record.question, "answer": record.answer, "votes": votes}
    return _preview_verdict(record)


def _preview_verdict(record: VerdictRecord) -> dict[str, Any]:
    return {
        "line": record.line,
        "question": record.question,
        "answer": record.answer,
        "judge": record.judge,
        "verdict": record.verdict,
    }


def _message(findings: Findings) -> str:
    if not findings.errors:
        return ""
    first = findings.in_order(findings.errors)[0]
    place = f"{first.file}, line {first.line}" if first.line else first.file
    more = f" (and {findings.error_count - 1:,} more)" if findings.error_count > 1 else ""
    return f"{place}: {first.message}{more}"
