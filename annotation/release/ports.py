"""What only later steps know about what leaves."""

from collections.abc import Iterator, Sequence
from typing import IO

from annotation.projects.models import Project
from common.events import Port


@Port
def report_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the lines of a study's report, which holds verdicts, too; `limit`: its first lines only."""
    raise NotImplementedError


@Port
def systems_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return a table of systems with their scores as CSV; `limit`: where its header begins."""
    raise NotImplementedError


@Port
def systems_latex_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the same as a tabular environment of LaTeX; `limit`: its first line only."""
    raise NotImplementedError


@Port
def count_table_systems(project: Project) -> int:
    """Return how many systems have answers to the questions that scores are over."""
    raise NotImplementedError


@Port
def count_table_judges(project: Project) -> int:
    """Return how many judges have a verdict on a decided answer."""
    raise NotImplementedError


@Port
def judges_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return a table of judges compared with people as CSV; `limit`: its header only."""
    raise NotImplementedError


@Port
def judges_latex_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the same as a tabular environment of LaTeX; `limit`: its first line only."""
    raise NotImplementedError


@Port
def study_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return all that a study's numbers rest on, verdicts among it, line by line; `limit`: so many lines."""
    raise NotImplementedError


@Port
def count_verdicts(project: Project) -> int:
    """Return how many verdicts leave, of all judges together."""
    raise NotImplementedError


@Port
def verdict_json_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return what every run of a judge said, a verdict a line; `limit`: so many."""
    raise NotImplementedError


@Port
def verdict_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the same as a header and a row a verdict."""
    raise NotImplementedError


@Port
def count_taggings(project: Project) -> int:
    """Return how many items of rounds are tagged."""
    raise NotImplementedError


@Port
def tagging_json_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return what people tagged in rounds, a tagged item a line; `limit`: so many."""
    raise NotImplementedError


@Port
def tagging_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the same as a header and a row a tagged item."""
    raise NotImplementedError


@Port
def answer_json_lines(
    *, project: Project, limit: int | None, chosen: Sequence[int] | None = None
) -> Iterator[str]:
    """Return all answers with what people and judges say of each, an object a line.

    limit: so many answers. chosen: only these, by key, in their order.
    """
    raise NotImplementedError


@Port
def answer_csv_lines(
    *, project: Project, limit: int | None, chosen: Sequence[int] | None = None
) -> Iterator[str]:
    """Return the same as a header and a row an answer."""
    raise NotImplementedError


@Port
def write_bundle(*, project: Project, file: IO[bytes]) -> None:
    """Write a whole study as one file, from which it can be restored."""
    raise NotImplementedError


@Port
def bundle_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return what such a file holds, a line a table; `limit`: so many."""
    raise NotImplementedError


@Port
def require_rest(*, project: Project) -> None:
    """Raise a `Conflict` while something is done to the whole study, so that half of it would leave."""
    raise NotImplementedError
