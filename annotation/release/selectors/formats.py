"""The formats in which a project can leave: one literal table."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from annotation.projects.models import Project
from annotation.projects.rules import Protocol
from annotation.release import rules
from annotation.release.ports import answer_csv_lines, answer_json_lines, report_lines, study_lines
from annotation.release.rules import (
    LeftOut,
)
from annotation.release.selectors.rows import (
    count_all_answers,
    count_answers,
    count_changes,
    count_equal_additions,
    count_judgments,
    count_questions,
    count_votes,
    released_answers,
    released_changes,
    released_judgments,
    released_questions,
    released_votes,
    votes_on_answers,
)


class ExportFormat(NamedTuple):
    """A form to export: how it is called, what it holds, and how its lines are made.

    `lines` takes the project and how many questions, answers, votes or judgments at most (None: all).
    """

    key: str
    name: str
    summary: str
    suffix: str
    media_type: str
    count: Callable[[Project], int]
    lines: Callable[[Project, int | None], Iterator[str]]
    # What `count` counts.
    unit: str = "row"
    # What the form leaves out, where it leaves out anything.
    left_out: Callable[[Project], LeftOut] | None = None

    def file_name(self, project: Project) -> str:
        """Return what the file is called by default."""
        return f"{project.slug}{self.suffix}"


def _protocol(project: Project) -> Protocol:
    assert project.protocol is not None
    return project.protocol.rules


def _efficientqa_gold(project: Project, limit: int | None) -> Iterator[str]:
    protocol = _protocol(project)
    for question in released_questions(project, limit=limit):
        yield rules.efficientqa_line(question, protocol=protocol)


def _openqa_gold(project: Project, limit: int | None) -> Iterator[str]:
    return map(rules.gold_line, released_questions(project, limit=limit))


def _openqa_votes(project: Project, limit: int | None) -> Iterator[str]:
    answers = released_answers(project, limit=limit)
    votes = votes_on_answers(project, limit=limit)
    return rules.tsv_lines(rules.openqa_rows(answers, votes=votes, protocol=_protocol(project)))


def _gold_changes_csv(project: Project, limit: int | None) -> Iterator[str]:
    return rules.csv_lines(rules.change_rows(released_changes(project, limit=limit)))


def _votes_csv(project: Project, limit: int | None) -> Iterator[str]:
    return rules.csv_lines(rules.long_rows(released_votes(project, limit=limit)))


def _votes_jsonl(project: Project, limit: int | None) -> Iterator[str]:
    return map(rules.vote_line, released_votes(project, limit=limit))


def _judgments_csv(project: Project, limit: int | None) -> Iterator[str]:
    return rules.csv_lines(rules.judgment_rows(released_judgments(project, limit=limit)))


def _judgments_jsonl(project: Project, limit: int | None) -> Iterator[str]:
    return map(rules.judgment_line, released_judgments(project, limit=limit))


def _votes_wide(project: Project, limit: int | None) -> Iterator[str]:
    votes = votes_on_answers(project, limit=limit)
    return rules.csv_lines(rules.wide_rows(released_answers(project, limit=limit), votes=votes))


def _report_html(project: Project, limit: int | None) -> Iterator[str]:
    return report_lines(project=project, limit=limit)


def _study_jsonl(project: Project, limit: int | None) -> Iterator[str]:
    return study_lines(project=project, limit=limit)


def _answers_csv(project: Project, limit: int | None) -> Iterator[str]:
    return answer_csv_lines(project=project, limit=limit)


def _answers_jsonl(project: Project, limit: int | None) -> Iterator[str]:
    return answer_json_lines(project=project, limit=limit)


EXPORT_FORMATS: tuple[ExportFormat, ...] = (
    ExportFormat(
        key="efficientqa-gold",
        name="Gold answers, EfficientQA release form",
        summary="One question a line with gold answers and what people accepted, found possible or rejected.",
        suffix="_gold.efficientqa.jsonl",
        media_type="application/x-ndjson",
        count=count_questions,
        lines=_efficientqa_gold,
    ),
    ExportFormat(
        key="openqa-eval-gold",
        name="Gold answers, OpenQA-eval form",
        summary="One question a line with its amended gold; no rejected answers, no added equal ones.",
        suffix="_gold.jsonl",
        media_type="application/x-ndjson",
        count=count_questions,
        lines=_openqa_gold,
        left_out=count_equal_additions,
    ),
    ExportFormat(
        key="gold-ledger-csv",
        name="Gold ledger, one change a row (CSV)",
        summary="Every gold answer added or removed with its reason and rule, and whether it was undone.",
        suffix="_gold-ledger.csv",
        media_type="text/csv",
        count=count_changes,
        lines=_gold_changes_csv,
    ),
    ExportFormat(
        key="openqa-eval-votes",
        name="Votes, OpenQA-eval form",
        summary="One answer a row with the final label and a column for each annotator, tab-separated.",
        suffix="_human.tsv",
        media_type="text/tab-separated-values",
        count=count_answers,
        lines=_openqa_votes,
    ),
    ExportFormat(
        key="votes-csv",
        name="Votes, one a row (CSV)",
        summary="Every vote with rater, round, label, comment, evidence and protocol; for spreadsheets.",
        suffix="_votes.csv",
        media_type="text/csv",
        count=count_votes,
        lines=_votes_csv,
    ),
    ExportFormat(
        key="votes-jsonl",
        name="Votes, one a line (JSON Lines)",
        summary="Every vote with rater, round, label, comment, evidence and protocol; for programs.",
        suffix="_votes.jsonl",
        media_type="application/x-ndjson",
        count=count_votes,
        lines=_votes_jsonl,
    ),
    ExportFormat(
        key="votes-wide-csv",
        name="Votes, one answer a row (CSV)",
        summary="One answer a row with a column for each vote, the final label and what it rests on.",
        suffix="_votes-wide.csv",
        media_type="text/csv",
        count=count_answers,
        lines=_votes_wide,
    ),
    ExportFormat(
        key="judgments-csv",
        name="All judgments with their purpose (CSV)",
        summary="Votes, and what raters said in pilot, training, known answers and repeats, one a row.",
        suffix="_judgments.csv",
        media_type="text/csv",
        count=count_judgments,
        lines=_judgments_csv,
    ),
    ExportFormat(
        key="judgments-jsonl",
        name="All judgments with their purpose (JSON Lines)",
        summary="Votes, and what raters said in pilot, training, known answers and repeats, one a line.",
        suffix="_judgments.jsonl",
        media_type="application/x-ndjson",
        count=count_judgments,
        lines=_judgments_jsonl,
    ),
    ExportFormat(
        key="answers-csv",
        name="Answers with systems, votes and verdicts (CSV)",
        summary="One answer a row: gold, systems, votes, decision, tags and verdicts; for spreadsheets.",
        suffix="_answers.csv",
        media_type="text/csv",
        count=count_all_answers,
        lines=_answers_csv,
    ),
    ExportFormat(
        key="answers-jsonl",
        name="Answers with systems, votes and verdicts (JSON Lines)",
        summary="One answer a line: gold, systems, votes, decision, tags and verdicts; for programs.",
        suffix="_answers.jsonl",
        media_type="application/x-ndjson",
        count=count_all_answers,
        lines=_answers_jsonl,
    ),
    ExportFormat(
        key="report-html",
        name="Report of the study (HTML)",
        summary="Methods, agreement, systems and judges with intervals and charts, in one file to pass on.",
        suffix="_report.html",
        media_type="text/html",
        count=count_answers,
        lines=_report_html,
        unit="answer",
    ),
    ExportFormat(
        key="study-jsonl",
        name="The study, to recount its numbers (JSON Lines)",
        summary="Questions, answers, votes, decisions, runs and verdicts that every number rests on.",
        suffix="_study.jsonl",
        media_type="application/x-ndjson",
        count=count_answers,
        lines=_study_jsonl,
        unit="answer",
    ),
)


def find_format(key: str) -> ExportFormat | None:
    """Return the form with this key, or None."""
    return next((form for form in EXPORT_FORMATS if form.key == key), None)
