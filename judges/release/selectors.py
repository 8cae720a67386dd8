"""Read what a study says of itself when it leaves: the facts of its methods paragraph, and its report."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, QuerySet
from django.template.loader import render_to_string
from django.utils.html import escape

from analysis.arrays import Flags
from analysis.classification import Confusion
from analysis.intervals import Figure, Interval, Undefined, Why
from analysis.raters.agreement import MissingVotes
from annotation.adjudication.models import Decision
from annotation.agreement.selectors.reports import Way, read_report
from annotation.assignments.models import Assignment
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import ledger_summary
from annotation.items.models import Candidate, DataImport, QuestionCorrection
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project, ProtocolVersion
from annotation.projects.selectors import kept
from common.database.rows import read_rows
from common.figures import FIGURES, JUDGE_MEASURES, rounded
from common.identifiers import VERSION
from judges.comparison.models import ReferenceScore
from judges.comparison.rules.failures import BoardKind
from judges.comparison.rules.leaderboard.references import Subject
from judges.comparison.rules.leaderboard.standings import (
    Leaderboard,
    LeaderboardColumn,
    Score,
    people_column,
)
from judges.comparison.rules.study import (
    CORRECTED,
    EXACT_MATCH,
    UNDECIDED,
    Filter,
    Items,
    Scope,
    is_recorded,
)
from judges.comparison.rules.weights import reach_of
from judges.comparison.selectors.failures import Wanted, read_failure_board
from judges.comparison.selectors.judge_board.judges import read_judge_board, read_own_signatures
from judges.comparison.selectors.leaderboard.corrected import read_corrected
from judges.comparison.selectors.leaderboard.references import list_references
from judges.comparison.selectors.leaderboard.standings import (
    Scored,
    best_scope,
    leaderboard_of,
    read_leaderboard,
    read_scored,
)
from judges.comparison.selectors.report import build_report
from judges.comparison.selectors.results.best_system import read_best_system
from judges.prejudging.models import PolicyApplication, Routing
from judges.prejudging.rules.audit import AuditReport
from judges.prejudging.rules.decided_by import DecidedBy
from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.certificates import read_proofs
from judges.prejudging.selectors.decided_by import read_decided_by
from judges.prejudging.selectors.policies import find_applications
from judges.prejudging.selectors.routing.figures import find_figures
from judges.registry import Needs, get_entry
from judges.release.rules.facts import (
    GoldFacts,
    JudgeFacts,
    LeadFacts,
    PreparedFacts,
    RoutingFacts,
    SampledFacts,
    ScoreFacts,
    StudyFacts,
)
from judges.release.rules.methods import Methods, write_methods
from judges.release.rules.report import (
    WORDS,
    BoardTable,
    Line,
    Mark,
    agreement_rows,
    has_figures,
    lay_out,
    lay_out_board,
    lay_out_judges,
    published_rows,
)
from judges.release.rules.tables import (
    BOOKTABS,
    JUDGE_HEADINGS,
    SYSTEMS_BEGIN,
    Laid,
    PaperTables,
    is_of_few_answers,
    judges_table,
    ordered,
    print_table,
    systems_table,
    to_csv,
    to_latex,
)
from judges.release.rules.words import (
    FigureWords,
    coefficient_words,
    protocol_lines,
    questions_words,
    rank_words,
    why_lacking,
)
from judges.runs.models import Verdict
from judges.runs.selectors.progress import ServedModel, served_models
from judges.tagging.models import Tagging


def last_change(project: Project) -> datetime | None:
    """Return when the last of what a report counts came, changed or was taken back; None before the first.

    Of the sample, the names and descriptions of systems and the members nobody keeps a time.
    """
    found = (at for rows, fields in _dated(project) for at in _latest(rows, fields))
    return max((at for at in found if at), default=None)


def _dated(project: Project) -> Iterator[tuple[QuerySet[Any], tuple[str, ...]]]:
    yield ProtocolVersion.objects.filter(project=project), ("created_at",)
    yield DataImport.objects.filter(project=project), ("applied_at", "undone_at")
    yield QuestionCorrection.objects.filter(question__project=project), ("corrected_at",)
    yield Judgment.objects.filter(candidate__project=project), ("judged_at",)
    yield JudgmentRevision.objects.filter(judgment__candidate__project=project), ("at",)
    yield CheckAnswer.objects.filter(question__project=project), ("answered_at",)
    yield Decision.objects.filter(candidate__project=project), ("decided_at",)
    yield GoldChange.objects.filter(question__project=project), ("changed_at", "undone_at")
    yield Verdict.objects.filter(run__project=project), ("judged_at",)
    yield Tagging.objects.filter(item__round__project=project), ("tagged_at",)
    yield ReferenceScore.objects.filter(project=project), ("added_at", "removed_at")


def _latest(rows: QuerySet[Any], fields: tuple[str, ...]) -> Iterator[datetime | None]:
    yield from rows.order_by().aggregate(**{field: Max(field) for field in fields}).values()


def read_methods(*, project: Project) -> Methods:
    """Return the methods paragraph as the study stands."""
    return write_methods(read_facts(project, read_scored(project=project, wanted=Filter())))


def read_published(*, project: Project, rules: Sequence[MissingVotes], gold: str = "") -> dict[str, Any]:
    """Return the report of a project with its methods paragraph; see `build_report`."""
    report = build_report(project=project, rules=rules, gold=gold)
    methods = read_methods(project=project)
    return report | {"methods": {"text": methods.text, "missing": list(methods.missing)}}


def read_facts(project: Project, scored: Scored) -> StudyFacts:
    """Return the facts of a study; `scored` is what was read of its whole sample."""
    study = scored.study
    items, candidates = study.items, study.items.candidates
    applications = find_applications(project=project)
    audit = _read_audit(project, applications)
    in_sample = items.questions.in_sample
    is_answer = candidates.is_judgeable & (items.is_given | ~candidates.is_from_gold)
    is_asked = is_answer & (in_sample & ~study.improper)[candidates.question]
    return StudyFacts(
        protocol=project.protocol.rules if project.protocol else None,
        pooling=project.pooling,
        questions=int(in_sample.sum()),
        all_questions=len(in_sample),
        improper=int(study.improper.sum()),
        scored_questions=int(scored.selection.questions.sum()),
        judged_questions=scored.judged_questions,
        answers=int(is_asked.sum()),
        kept_apart=_count_kept_apart(project),
        undecided=int((is_asked & (study.decided.worth == UNDECIDED)).sum()),
        systems=len(items.systems),
        sources=_count_sources(project, items, is_asked),
        further=_count_further(project, items, is_asked),
        agreement=read_report(project=project, way=Way()),
        gold=GoldFacts(**vars(ledger_summary(project=project))),
        judges=tuple(_judges(project, scored)),
        audit=audit,
        proofs=read_proofs(project=project, applications=applications),
        corrected=_count_corrected(scored) if audit else 0,
        predicted_by=_name_predictor(scored),
        sampled=_read_sampled(project),
        scores=_read_scores(project, scored),
        lead=_read_lead(project),
        routing=_read_routing(project),
        reach=reach_of(items.questions),
        prepared=_read_prepared(project),
        decided_by=_read_decided_by(project),
    )


def _read_decided_by(project: Project) -> DecidedBy | None:
    found = read_decided_by(project=project)
    return found if found.settled or found.audited or found.calibrated else None


def _read_prepared(project: Project) -> PreparedFacts:
    """Return what imports that stand did to answers; what found nothing to do counts for nothing."""
    is_repaired, rules = False, set[str]()
    for data_import in DataImport.objects.filter(project=project, state=DataImport.State.APPLIED).only(
        "options", "causes"
    ):
        found = {cause["code"] for cause in data_import.causes}
        is_repaired |= "mojibake" in found and data_import.options.get("mojibake") == "repair"
        if "list_prediction" in found:
            rules.add(str(data_import.options.get("list_prediction", "first")))
    is_cleaned = project.cleaning != Project.Cleaning.NONE
    return PreparedFacts(is_cleaned, is_repaired, tuple(sorted(rules)))


def _read_routing(project: Project) -> RoutingFacts | None:
    """Return what one rater and a judge settled; None where no answer was weighed so."""
    found = find_figures(project=project) if project.has_routes else None
    if found is None or found.labels_an_answer is None:
        return None
    rules = Routing.objects.filter(project=project).exclude(state=Routing.State.UNDONE).order_by("number")
    return RoutingFacts(
        rules=tuple(rules.values_list("text", "audit_share")),
        weighed=found.weighed,
        stopped=found.stopped,
        labels_an_answer=found.labels_an_answer,
        decided=found.decided,
        changed=found.changed,
        residual=found.residual,
    )


def _read_sampled(project: Project) -> SampledFacts | None:
    """Return what estimates scores of all questions; None where people judge all, or nothing by chance."""
    wanted = Filter(scope=Scope.ENTIRE)
    # The board of a study whose questions are all judged names a judge, too: the one that its audit corrects.
    chosen = read_scored(project=project, wanted=wanted).chosen
    if not chosen:
        return None
    board = read_corrected(project=project, wanted=wanted)
    column = next(judge.name for judge in board.judges if judge.key == chosen)
    known = [row for row in board.rows if row.people.value is not None]
    return SampledFacts(
        column=f"{column} and people",
        systems=len(known),
        labels=sum(row.labels for row in known),
        in_strata=project.sample_method == Project.SampleMethod.STRATA,
    )


def _read_scores(project: Project, scored: Scored) -> ScoreFacts | None:
    """Return what people say of systems, over the questions for which that is best; None if it may move."""
    if best_scope(project=project) is Scope.ENTIRE:
        scored = read_scored(project=project, wanted=Filter(scope=Scope.ENTIRE))
    board = leaderboard_of(scored)
    column = people_column(board)
    # What still counts exact match is not people's.
    if column is None or not (board.all_decided or column.key == CORRECTED):
        return None
    known = [(row.label, score, score.n) for row in board.rows if (score := row.scores.get(column.key))]
    known.sort(key=lambda each: (-each[1].value, each[0]))
    return ScoreFacts(column.name, tuple(known)) if known else None


def _read_lead(project: Project) -> LeadFacts | None:
    best = read_best_system(project=project)
    if best.undecided_because or not best.leaders:
        return None
    leaders = tuple(each.label for each in best.leaders)
    return LeadFacts(leaders, len(best.rivals), best.worse, len(best.unranked))


def _name_predictor(scored: Scored) -> str:
    predictor = scored.study.predictor
    return f"{predictor.column.name} [{predictor.column.signature}]" if predictor else ""


def _count_corrected(scored: Scored) -> int:
    rows = leaderboard_of(scored).rows
    return sum(row.scores.get(CORRECTED) is not None for row in rows)


def _read_audit(project: Project, applications: Sequence[PolicyApplication]) -> AuditReport | None:
    report = read_audit(project=project, applications=applications)
    return report if report.pooled.settled else None


@kept()
def _count_kept_apart(project: Project) -> int:
    """Count the answers people judge that equal another of their question by the project's pooling."""
    alike = (
        Candidate.objects.filter(project=project, question__in_sample=True)
        .exclude(state=Candidate.State.UNASKED)
        .exclude(question__in=improper_questions(project))
        .values("question", "pool_hash")
        .annotate(size=Count("pk"))
        .filter(size__gt=1)
    )
    return sum(alike.values_list("size", flat=True))


def _count_further(project: Project, items: Items, is_asked: Flags) -> int:
    """Count the answers that a rater judged because others differed."""
    votes = Judgment.objects.votes().filter(
        candidate__project=project, state=Judgment.State.COUNTED, round=Assignment.Round.TIE_BREAK
    )
    asked = frozenset(items.candidates.ids[is_asked].tolist())
    return len(asked.intersection(votes.values_list("candidate_id", flat=True)))


def _count_sources(project: Project, items: Items, is_asked: Flags) -> Counter[str]:
    rows = Decision.objects.in_force().filter(candidate__project=project)
    asked = frozenset(items.candidates.ids[is_asked].tolist())
    found = read_rows(rows.order_by("pk"), "candidate_id", "source")
    return Counter(source for candidate, source in found if candidate in asked)


def _judges(project: Project, scored: Scored) -> Iterator[JudgeFacts]:
    # The board's own intervals: questions drawn in another way would print others than the pages do.
    own, served = read_own_signatures(project=project), _served(scored)
    for row in read_judge_board(project=project, intervals=True):
        # Rows without a run are people beside people.
        if not row.run:
            continue
        yield JudgeFacts(
            name=row.name,
            signature=own[row.key],
            counts=Confusion(*row.counts.values()),
            figures=row.figures,
            n=sum(row.counts.values()),
            served=served.get(row.run, ()),
            left_out=row.left_out,
            caution=row.caution,
        )


def _served(scored: Scored) -> dict[str, tuple[str, ...]]:
    """Return by run's public id the models its provider named in replies, with their fingerprints."""
    asking = {
        run.id: run.public_id
        for run in scored.runs
        if not is_recorded(run.judge_key) and get_entry(run.judge_key).needs is Needs.CONNECTION
    }
    found = served_models(asking)
    return {asking[pk]: tuple(map(_served_name, models)) for pk, models in found.items()}


def _served_name(served: ServedModel) -> str:
    if not served.fingerprint:
        return served.model
    return f"{served.model} ({served.fingerprint})".strip()


TEMPLATE = "judges/report.html"
# The file's first lines, alone in the preview: working out the rest takes as long as the file.
HEAD = '<!doctype html>\n<html lang="en">\n<title>{title} · study report</title>\n'
NO_WORDS = FigureWords("", "")


def report_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the report of a study as one HTML file that needs nothing beside it; `limit`: its head only.

    Annotators are not in it by any name. Equal states of a study give equal bytes, so it says when the
    study last changed and not when the file was made.
    """
    yield from HEAD.format(title=escape(project.name)).splitlines(keepends=True)
    if limit is None:
        yield render_to_string(TEMPLATE, _context(project))


def _context(project: Project) -> dict[str, Any]:
    scored = read_scored(project=project, wanted=Filter())
    facts = read_facts(project, scored)
    best = Filter(scope=best_scope(project=project))
    board = read_leaderboard(project=project, wanted=best, intervals=True)
    boards = dict(_failures(project))
    # People's own column has no τ with itself, and nothing to say of it.
    ranked = [column for column in board.columns if column.kendall_tau_b.why != Why.PEOPLE_THEMSELVES]
    taus = [(column.name, Figure.of(column.kendall_tau_b.number, _bounds_of(column))) for column in ranked]
    references = [row.as_reference() for row in list_references(project=project)]
    return {
        "project": project,
        "version": VERSION,
        "changed_at": last_change(project),
        "methods": write_methods(facts),
        "facts": facts,
        "protocol": _protocol_lines(facts),
        "agreement": agreement_rows(facts.agreement, facts.protocol),
        "agreement_rule": facts.agreement.rule_text,
        "columns": board.columns,
        # Questions that raters took out are in the sample and in no score.
        "scored_questions": questions_words(scored=board.n_questions, judged=board.judged_questions),
        "systems": _system_rows(board),
        "systems_chart": lay_out(list(_system_lines(board))),
        "systems_note": _systems_note(board),
        "judges": lay_out_judges(facts.judges),
        "judges_chart": lay_out([_judge_line(judge) for judge in facts.judges]),
        "failures": list(boards.values()),
        "uncounted": [WORDS[kind].name for kind in BoardKind if kind not in boards],
        "published_systems": published_rows(
            references,
            subject=Subject.SYSTEM,
            measures={column.key: column.name for column in board.columns},
        ),
        "published_judges": published_rows(references, subject=Subject.JUDGE, measures=JUDGE_MEASURES),
        "kendall": [_ranking_words(column) if column in ranked else NO_WORDS for column in board.columns],
        "ranking_remarks": list(why_lacking(FIGURES["kendall_tau_b"].plain, taus)),
    }


def _protocol_lines(facts: StudyFacts) -> list[tuple[str, str]]:
    if facts.protocol is None:
        return []
    return list(protocol_lines(facts.protocol, shares_with_programs=facts.audit is not None))


def _ranking_words(column: LeaderboardColumn) -> FigureWords:
    """Return τ, and below it in how many of the pairs that people tell apart the order is the same."""
    bounds = _bounds_of(column)
    value = coefficient_words(column.kendall_tau_b).value
    if isinstance(bounds, Undefined):
        return FigureWords(value, "")
    low, high = (rounded(end, digits=0, scale=100) for end in (bounds.low, bounds.high))
    share = f"{low}–{high}%"
    return FigureWords(
        value,
        f"{column.same:,} of {column.pairs:,} significantly different pairs in the same order ({share})",
    )


def _bounds_of(column: LeaderboardColumn) -> Interval | Undefined:
    """Return the interval of the share of pairs in the same order."""
    found = column.same_order
    assert found is not None
    return Undefined(found.why) if found.why else Interval(*(found.interval or ()))


def _failures(project: Project) -> Iterator[tuple[BoardKind, BoardTable]]:
    """Yield the failure boards that say something; the rates of columns do before anything is tagged."""
    for kind in BoardKind:
        found = read_failure_board(project=project, wanted=Wanted(kind))
        if has_figures(found):
            named = {run.key: run.name for run in found.runs}
            yield kind, lay_out_board(kind, found, judge=named.get(found.run, ""), weighed=found.weighed)


def _system_rows(board: Leaderboard) -> list[dict[str, Any]]:
    return [
        {
            "label": row.label,
            "n": f"{row.n:,}",
            "is_of_few": is_of_few_answers(row, board),
            "scores": [_cell(row.scores.get(column.key)) for column in board.columns],
        }
        for row in ordered(board)
    ]


def _cell(score: Score | None) -> dict[str, Any] | None:
    if score is None:
        return None
    bounds = "–".join(rounded(end, digits=1, scale=100) for end in score.interval or ())
    return {
        "value": rounded(score.value, digits=1, scale=100),
        "bounds": bounds,
        "n": score.n,
        "rank": _rank(score.rank),
    }


def _rank(rank: Figure) -> str:
    return "" if rank.value is None else rank_words(rank)


def _systems_note(board: Leaderboard) -> str:
    hollow = "hollow: exact match with the original gold answers"
    column = people_column(board)
    if column is None:
        return hollow
    corrected = "corrected by a random sample" if board.is_estimated else "corrected by the audit"
    filled = corrected if column.key == CORRECTED else "by people"
    return f"filled: {filled}, with 95% interval; {hollow}"


def _system_lines(board: Leaderboard) -> Iterator[Line]:
    column = people_column(board)
    kinds = [("main", column.key)] if column else []
    for row in ordered(board):
        cells = ((kind, row.scores.get(key)) for kind, key in [*kinds, ("other", EXACT_MATCH)])
        marks = tuple(Mark(kind, score.value, score.low, score.high) for kind, score in cells if score)
        yield Line(row.label, marks)


def _judge_line(judge: JudgeFacts) -> Line:
    share = judge.figures["accuracy_all"]
    marks = () if share.value is None else (Mark("main", share.value, share.low, share.high),)
    return Line(judge.name, marks)


def read_tables(*, project: Project) -> PaperTables:
    """Return the tables of systems and of judges that a paper prints."""
    board = _board(project)
    questions = questions_words(scored=board.n_questions, judged=board.judged_questions)
    return PaperTables(
        systems=print_table(
            systems_table(board),
            about=f"Scores in percent over {questions}.{ranks_words(board)}",
            name=f"{project.slug}_systems",
        ),
        judges=print_table(
            _judge_table(project),
            about="Judges compared with people’s decisions. Unscored answers count as errors. If answers "
            "were sampled with different probabilities, as in an audit, each answer is weighted by the "
            "inverse of its sampling probability.",
            name=f"{project.slug}_judges",
        ),
    )


def ranks_words(board: Leaderboard) -> str:
    """Say by which scores systems are ranked; nothing where they are not."""
    column = people_column(board)
    scores = [row.scores.get(column.key) for row in board.rows] if column else []
    if column is None or not any(score and score.rank.value is not None for score in scores):
        return ""
    return f" Systems are ranked by {'corrected scores' if column.key == CORRECTED else 'people’s scores'}."


def _board(project: Project, *, intervals: bool = True) -> Leaderboard:
    wanted = Filter(scope=best_scope(project=project))
    return read_leaderboard(project=project, wanted=wanted, intervals=intervals)


def _judge_table(project: Project, *, intervals: bool = True) -> Laid:
    rows = read_judge_board(project=project, intervals=intervals)
    # Rows without a run are people beside people.
    return judges_table([(row, row.signature) for row in rows if row.run])


def count_table_systems(project: Project) -> int:
    """Return how many rows the table of systems has."""
    return len(_board(project, intervals=False).rows)


def count_table_judges(project: Project) -> int:
    """Return how many rows the table of judges has."""
    return len(_judge_table(project, intervals=False).rows)


def systems_csv_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the table of systems as CSV; `limit`: where its header begins.

    The other columns are of the judges there are, which takes as long to read as the file.
    """
    yield from [f"{SYSTEMS_BEGIN},…\n"] if limit is not None else to_csv(systems_table(_board(project)))


def systems_latex_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the table of systems as LaTeX; `limit`: its first line only."""
    yield from [BOOKTABS] if limit is not None else to_latex(systems_table(_board(project)))


def judges_csv_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the table of judges as CSV; `limit`: its header only."""
    yield from to_csv(_judge_table(project) if limit is None else Laid(JUDGE_HEADINGS, [], []))


def judges_latex_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the table of judges as LaTeX; `limit`: its first line only."""
    yield from [BOOKTABS] if limit is not None else to_latex(_judge_table(project))
