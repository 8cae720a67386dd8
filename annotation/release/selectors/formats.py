"""The formats in which a project can leave: one literal table."""

from collections.abc import Callable, Iterator, Sequence
from typing import IO, Literal, NamedTuple, Protocol, TypeVar

from annotation.projects import rules as protocols
from annotation.projects.models import Project
from annotation.release import rules
from annotation.release.ports import (
    answer_csv_lines,
    answer_json_lines,
    bundle_lines,
    count_table_judges,
    count_table_systems,
    count_taggings,
    count_verdicts,
    judges_csv_lines,
    judges_latex_lines,
    report_lines,
    require_rest,
    study_lines,
    systems_csv_lines,
    systems_latex_lines,
    tagging_csv_lines,
    tagging_json_lines,
    verdict_csv_lines,
    verdict_json_lines,
    write_bundle,
)
from annotation.release.rules import (
    LeftOut,
)
from annotation.release.selectors.folder import Table, write_folder
from annotation.release.selectors.papers import evouna_lines, release_lines, write_release
from annotation.release.selectors.parquet import require_parquet, write_parquet
from annotation.release.selectors.rows import (
    count_all_answers,
    count_answers,
    count_changes,
    count_checks,
    count_equal_additions,
    count_judgments,
    count_passages,
    count_predictions,
    count_questions,
    count_votes,
    released_answers,
    released_changes,
    released_checks,
    released_judgments,
    released_passages,
    released_predictions,
    released_questions,
    released_votes,
    votes_on_answers,
)

# What a form is for: a paper, or a kind of data.
Group = Literal["paper", "gold", "votes", "answers", "other"]


Leaving = TypeVar("Leaving")


class Lines(Protocol):
    """How the lines of a form are made."""

    def __call__(self, *, project: Project, limit: int | None) -> Iterator[str]:
        """Return them; limit: of how many questions, answers, votes or judgments at most (None: all)."""


class Writer(Protocol):
    """How a form is written that is not made of lines."""

    def __call__(self, *, project: Project, file: IO[bytes]) -> None:
        """Write it."""


class Packer(Protocol):
    """How lines become a file that is no text."""

    def __call__(self, *, lines: Iterator[str], file: IO[bytes]) -> None:
        """Write it."""


class Requirement(Protocol):
    """What must hold of a project before it leaves in a form."""

    def __call__(self, *, project: Project) -> None:
        """Raise a `Conflict` where it does not."""


class ExportFormat(NamedTuple):
    """A form to export: how it is called, what it holds, and how its lines are made."""

    key: str
    group: Group
    name: str
    summary: str
    suffix: str
    media_type: str
    count: Callable[[Project], int]
    lines: Lines
    # What `count` counts.
    unit: str = "row"
    # What the form leaves out, where it leaves out anything.
    left_out: Callable[[Project], LeftOut] | None = None
    # As `lines`, of `chosen` answers alone, by key and in their order, where the form is made of answers.
    lines_of: Callable[..., Iterator[str]] | None = None
    # Writes the file where that is no text; then `lines` say what is in it.
    write: Writer | None = None
    # Makes the file of `lines`, of which the preview shows the first.
    pack: Packer | None = None
    require: Requirement | None = None

    def file_name(self, project: Project, chosen: Sequence[int] | None = None) -> str:
        """Return what the file is called by default; one of chosen answers says of how many."""
        if chosen is None:
            return f"{project.slug}{self.suffix}"
        return f"{project.slug}_{len(chosen)}-{self.suffix.removeprefix('_')}"


def _protocol(project: Project) -> protocols.Protocol:
    assert project.protocol is not None
    return project.protocol.rules


def _efficientqa_gold(*, project: Project, limit: int | None) -> Iterator[str]:
    protocol = _protocol(project)
    for question in released_questions(project, limit=limit):
        yield rules.efficientqa_line(question, protocol=protocol)


def _openqa_votes(*, project: Project, limit: int | None) -> Iterator[str]:
    answers = released_answers(project, limit=limit)
    votes = votes_on_answers(project, limit=limit)
    return rules.tsv_lines(rules.openqa_rows(answers, votes=votes, protocol=_protocol(project)))


def _votes_wide(*, project: Project, limit: int | None) -> Iterator[str]:
    votes = votes_on_answers(project, limit=limit)
    return rules.csv_lines(rules.wide_rows(released_answers(project, limit=limit), votes=votes))


def _csv(
    rows: Callable[[Iterator[Leaving]], Iterator[list[str]]], released: Callable[..., Iterator[Leaving]]
) -> Lines:
    def lines(*, project: Project, limit: int | None) -> Iterator[str]:
        return rules.csv_lines(rows(released(project, limit=limit)))

    return lines


def _json_lines(line: Callable[[Leaving], str], released: Callable[..., Iterator[Leaving]]) -> Lines:
    def lines(*, project: Project, limit: int | None) -> Iterator[str]:
        return map(line, released(project, limit=limit))

    return lines


_TEXT_FORMATS: tuple[ExportFormat, ...] = (
    ExportFormat(
        key="efficientqa-gold",
        group="gold",
        name="Gold answers, EfficientQA release format",
        summary=(
            "One question per line with its gold answers and the other answers by decision: "
            "accepted, possible, or rejected."
        ),
        suffix="_gold.efficientqa.jsonl",
        media_type="application/x-ndjson",
        count=count_questions,
        lines=_efficientqa_gold,
    ),
    ExportFormat(
        key="openqa-eval-gold",
        group="gold",
        name="Gold answers, OpenQA-eval format",
        summary="One question per line with its amended gold answers, without rejected ones or duplicates.",
        suffix="_gold.jsonl",
        media_type="application/x-ndjson",
        count=count_questions,
        lines=_json_lines(rules.gold_line, released_questions),
        left_out=count_equal_additions,
    ),
    ExportFormat(
        key="gold-ledger-csv",
        group="gold",
        name="Gold ledger, one change per row (CSV)",
        summary="Every added or removed gold answer with its reason, its rule, and whether it was undone.",
        suffix="_gold-ledger.csv",
        media_type="text/csv",
        count=count_changes,
        lines=_csv(rules.change_rows, released_changes),
    ),
    ExportFormat(
        key="openqa-eval-votes",
        group="votes",
        name="Votes, OpenQA-eval format",
        summary="One answer per row with the final label and a column for each annotator, tab-separated.",
        suffix="_human.tsv",
        media_type="text/tab-separated-values",
        count=count_answers,
        lines=_openqa_votes,
    ),
    ExportFormat(
        key="votes-csv",
        group="votes",
        name="Votes, one per row (CSV)",
        summary="Every vote with annotator, round, label, comment, evidence, and protocol; for spreadsheets.",
        suffix="_votes.csv",
        media_type="text/csv",
        count=count_votes,
        lines=_csv(rules.long_rows, released_votes),
    ),
    ExportFormat(
        key="votes-jsonl",
        group="votes",
        name="Votes, one per line (JSON Lines)",
        summary="Every vote with annotator, round, label, comment, evidence, and protocol; for programs.",
        suffix="_votes.jsonl",
        media_type="application/x-ndjson",
        count=count_votes,
        lines=_json_lines(rules.vote_line, released_votes),
    ),
    ExportFormat(
        key="votes-wide-csv",
        group="votes",
        name="Votes, one answer per row (CSV)",
        summary=(
            "One answer per row with a column for each vote, the final label, and what the label is based on."
        ),
        suffix="_votes-wide.csv",
        media_type="text/csv",
        count=count_answers,
        lines=_votes_wide,
    ),
    ExportFormat(
        key="judgments-csv",
        group="votes",
        name="All judgments with their purpose (CSV)",
        summary="Votes and labels from pilots, training, known answers, and repeats, one per row.",
        suffix="_judgments.csv",
        media_type="text/csv",
        count=count_judgments,
        lines=_csv(rules.judgment_rows, released_judgments),
    ),
    ExportFormat(
        key="judgments-jsonl",
        group="votes",
        name="All judgments with their purpose (JSON Lines)",
        summary="Votes and labels from pilots, training, known answers, and repeats, one per line.",
        suffix="_judgments.jsonl",
        media_type="application/x-ndjson",
        count=count_judgments,
        lines=_json_lines(rules.judgment_line, released_judgments),
    ),
    ExportFormat(
        key="answers-csv",
        group="answers",
        name="Answers with systems, votes, and verdicts (CSV)",
        summary=(
            "One answer per row: question checks, gold, systems, votes, decision, tags, and verdicts; for "
            "spreadsheets."
        ),
        suffix="_answers.csv",
        media_type="text/csv",
        count=count_all_answers,
        lines=answer_csv_lines,
        lines_of=answer_csv_lines,
    ),
    ExportFormat(
        key="answers-jsonl",
        group="answers",
        name="Answers with systems, votes, and verdicts (JSON Lines)",
        summary=(
            "One answer per line: question checks, gold, systems, votes, decision, tags, and verdicts; for "
            "programs."
        ),
        suffix="_answers.jsonl",
        media_type="application/x-ndjson",
        count=count_all_answers,
        lines=answer_json_lines,
        lines_of=answer_json_lines,
    ),
    ExportFormat(
        key="evouna",
        group="answers",
        name="Answers with decisions, EVOUNA release format (JSON)",
        summary=(
            "One question per object with each system’s answer and whether people accepted it. One verdict "
            "per answer, without votes; “possibly correct” counts as false. Answers that judges "
            "settled have no verdict."
        ),
        suffix="_evouna.json",
        media_type="application/json",
        count=count_questions,
        lines=evouna_lines,
    ),
    ExportFormat(
        key="openqa-eval-release",
        group="answers",
        name="Votes and outputs, OpenQA-eval release format (zip)",
        summary=(
            "A table of answers with annotators’ votes, and a file of outputs for each system. A missing "
            "output has no line; labels become Yes or No."
        ),
        suffix="_openqa-eval.zip",
        media_type="application/zip",
        count=count_all_answers,
        lines=release_lines,
        unit="answer",
        write=write_release,
    ),
    ExportFormat(
        key="predictions-csv",
        group="answers",
        name="Predictions by system (CSV)",
        summary="Each system’s answer to each question, with the ID of the answer that people judged.",
        suffix="_predictions.csv",
        media_type="text/csv",
        count=count_predictions,
        lines=_csv(rules.prediction_rows, released_predictions),
    ),
    ExportFormat(
        key="predictions-jsonl",
        group="answers",
        name="Predictions by system (JSON Lines)",
        summary="Each system’s answer to each question, with the ID of the answer that people judged.",
        suffix="_predictions.jsonl",
        media_type="application/x-ndjson",
        count=count_predictions,
        lines=_json_lines(rules.prediction_line, released_predictions),
    ),
    ExportFormat(
        key="passages-jsonl",
        group="answers",
        name="Passages (JSON Lines)",
        summary=(
            "Every passage that was given with a question or retrieved by a system. You can import this file."
        ),
        suffix="_passages.jsonl",
        media_type="application/x-ndjson",
        count=count_passages,
        lines=_json_lines(rules.passage_line, released_passages),
    ),
    ExportFormat(
        key="verdicts-csv",
        group="answers",
        name="Verdicts by run (CSV)",
        summary="The verdict, score, reason, reply, and signature of each judge run for each answer.",
        suffix="_verdicts.csv",
        media_type="text/csv",
        count=count_verdicts,
        lines=verdict_csv_lines,
    ),
    ExportFormat(
        key="verdicts-jsonl",
        group="answers",
        name="Verdicts by run (JSON Lines)",
        summary="The verdict, score, reason, reply, and signature of each judge run for each answer.",
        suffix="_verdicts.jsonl",
        media_type="application/x-ndjson",
        count=count_verdicts,
        lines=verdict_json_lines,
    ),
    ExportFormat(
        key="checks-csv",
        group="other",
        name="Question checks (CSV)",
        summary="Each annotator’s reply to each question check, such as whether a question is ambiguous.",
        suffix="_checks.csv",
        media_type="text/csv",
        count=count_checks,
        lines=_csv(rules.check_rows, released_checks),
    ),
    ExportFormat(
        key="checks-jsonl",
        group="other",
        name="Question checks (JSON Lines)",
        summary="Each annotator’s reply to each question check, such as whether a question is ambiguous.",
        suffix="_checks.jsonl",
        media_type="application/x-ndjson",
        count=count_checks,
        lines=_json_lines(rules.check_line, released_checks),
    ),
    ExportFormat(
        key="taggings-csv",
        group="other",
        name="Failure tags (CSV)",
        summary="What people tagged in each round: the item, its tags and note, and the verdict, if any.",
        suffix="_taggings.csv",
        media_type="text/csv",
        count=count_taggings,
        lines=tagging_csv_lines,
    ),
    ExportFormat(
        key="taggings-jsonl",
        group="other",
        name="Failure tags (JSON Lines)",
        summary="What people tagged in each round: the item, its tags and note, and the verdict, if any.",
        suffix="_taggings.jsonl",
        media_type="application/x-ndjson",
        count=count_taggings,
        lines=tagging_json_lines,
    ),
    ExportFormat(
        key="report-html",
        group="paper",
        name="Report of the study (HTML)",
        summary="Methods, agreement, systems, and judges, with intervals and charts, in one file to share.",
        suffix="_report.html",
        media_type="text/html",
        count=count_answers,
        lines=report_lines,
        unit="answer",
    ),
    ExportFormat(
        key="systems-csv",
        group="paper",
        name="Systems table (CSV)",
        summary=(
            "One system per row: score from people with its 95% interval, exact match, other judges, and "
            "rank."
        ),
        suffix="_systems.csv",
        media_type="text/csv",
        count=count_table_systems,
        lines=systems_csv_lines,
        unit="system",
    ),
    ExportFormat(
        key="systems-latex",
        group="paper",
        name="Systems table (LaTeX)",
        summary=(
            "One system per row: score from people with its 95% interval, exact match, other judges, and "
            "rank."
        ),
        suffix="_systems.tex",
        media_type="application/x-tex",
        count=count_table_systems,
        lines=systems_latex_lines,
        unit="system",
    ),
    ExportFormat(
        key="judges-csv",
        group="paper",
        name="Judges table (CSV)",
        summary="One judge per row: agreement with people and its 95% interval, κ, error rates, and bias.",
        suffix="_judges.csv",
        media_type="text/csv",
        count=count_table_judges,
        lines=judges_csv_lines,
        unit="judge",
    ),
    ExportFormat(
        key="judges-latex",
        group="paper",
        name="Judges table (LaTeX)",
        summary="One judge per row: agreement with people and its 95% interval, κ, error rates, and bias.",
        suffix="_judges.tex",
        media_type="application/x-tex",
        count=count_table_judges,
        lines=judges_latex_lines,
        unit="judge",
    ),
    ExportFormat(
        key="study-jsonl",
        group="other",
        name="Data to verify the study’s numbers (JSON Lines)",
        summary="Questions, answers, votes, decisions, runs, and verdicts that every number is based on.",
        suffix="_study.jsonl",
        media_type="application/x-ndjson",
        count=count_answers,
        lines=study_lines,
        unit="answer",
    ),
    ExportFormat(
        key="bundle",
        group="other",
        name="Whole project, to back up or move (bundle)",
        summary="Everything people and judges did, with history and names, to restore here or elsewhere.",
        suffix="_bundle.zip",
        media_type="application/zip",
        count=count_all_answers,
        lines=bundle_lines,
        unit="answer",
        write=write_bundle,
        require=require_rest,
    ),
)

_WITH_PARQUET = ("votes", "judgments", "answers", "predictions", "verdicts", "checks", "taggings")


def _with_parquet() -> Iterator[ExportFormat]:
    """Yield all forms, those of rows as Parquet, too, behind the JSON Lines that it is made of."""
    for form in _TEXT_FORMATS:
        yield form
        stem, _, ending = form.key.rpartition("-")
        if ending == "jsonl" and stem in _WITH_PARQUET:
            yield form._replace(
                key=f"{stem}-parquet",
                name=form.name.replace("JSON Lines", "Parquet"),
                summary=form.summary.replace("for programs", "for data frames and databases"),
                suffix=form.suffix.replace(".jsonl", ".parquet"),
                media_type="application/vnd.apache.parquet",
                pack=write_parquet,
                require=require_parquet,
            )


def _lines_of(key: str) -> Lines:
    return next(form.lines for form in _TEXT_FORMATS if form.key == key)


_TABLES = (
    Table(
        "answers",
        "an answer with its question’s checks, gold list, systems, votes, decision, and verdicts",
        answer_json_lines,
    ),
    Table("votes", "one annotator’s vote on one answer", _lines_of("votes-jsonl")),
    Table("predictions", "one system’s answer to one question", _lines_of("predictions-jsonl")),
    Table("verdicts", "one judge run’s verdict on one answer", verdict_json_lines),
)


def _write_folder(*, project: Project, file: IO[bytes]) -> None:
    write_folder(project=project, file=file, tables=_TABLES)


FOLDER = ExportFormat(
    key="dataset-folder",
    group="other",
    name="Data set folder with card, Croissant, and datasheet (Parquet)",
    summary=(
        "Answers, votes, predictions, and verdicts, for the Hugging Face Hub once you have chosen a license."
    ),
    suffix="_dataset.zip",
    media_type="application/zip",
    count=count_all_answers,
    lines=answer_json_lines,
    unit="answer",
    write=_write_folder,
    require=require_parquet,
)
EXPORT_FORMATS = (*_with_parquet(), FOLDER)


def find_format(key: str) -> ExportFormat | None:
    """Return the form with this key, or None."""
    return next((form for form in EXPORT_FORMATS if form.key == key), None)
