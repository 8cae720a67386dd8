"""What only later steps know about what leaves."""

from collections.abc import Iterator

from annotation.projects.models import Project
from common.events import Port


@Port
def report_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the lines of a study's report, which holds verdicts, too; `limit`: its first lines only."""
    raise NotImplementedError


@Port
def study_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return all that a study's numbers rest on, verdicts among it, line by line; `limit`: so many lines."""
    raise NotImplementedError


@Port
def answer_json_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return all answers with what people and judges say of each, an object a line.

    limit: so many answers.
    """
    raise NotImplementedError


@Port
def answer_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Return the same as a header and a row an answer; `limit`: so many answers."""
    raise NotImplementedError
