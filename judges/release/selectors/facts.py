"""Read what a study’s methods paragraph and report are made of."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count

from analysis.figures import Figure, Undefined, Why
from annotation.adjudication.models import Decision
from annotation.agreement.selectors import Way, read_report
from annotation.assignments.models import Assignment
from annotation.gold.selectors import ledger_summary
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.database.columns import read_rows
from judges.comparison.rules.study import CORRECTED, UNDECIDED, Filter, Flags, Items, is_recorded
from judges.comparison.selectors.judge_board.judges import read_judge_intervals, read_judge_rows
from judges.comparison.selectors.leaderboard import Scored, leaderboard_of, read_scored
from judges.prejudging.rules import AuditReport
from judges.prejudging.selectors import find_applications, read_audit
from judges.registry import Needs, get_entry
from judges.release.rules import GoldFacts, JudgeFacts, Methods, StudyFacts, write_methods
from judges.runs.selectors.progress import ServedModel, served_models


def read_methods(*, project: Project) -> Methods:
    """Return the methods paragraph as the study stands."""
    return write_methods(read_facts(project, read_scored(project=project, wanted=Filter())))


def read_facts(project: Project, scored: Scored) -> StudyFacts:
    """Return the facts of a study; `scored` is what was read of its whole sample."""
    study = scored.study
    items, candidates = study.items, study.items.candidates
    audit = _read_audit(project)
    in_sample = items.questions.in_sample
    is_answer = candidates.is_judgeable & (candidates.is_given | ~candidates.is_from_gold)
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
        gold=GoldFacts(*ledger_summary(project=project)),
        judges=tuple(_judges(project, scored)),
        audit=audit,
        corrected=_count_corrected(scored) if audit else 0,
    )


def _count_corrected(scored: Scored) -> int:
    rows = leaderboard_of(scored).rows
    return sum(row.scores.get(CORRECTED) is not None for row in rows)


def _read_audit(project: Project) -> AuditReport | None:
    applications = find_applications(project=project)
    report = read_audit(project=project, applications=applications)
    return report if report.pooled.counts.settled else None


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
    bounds = read_judge_intervals(project=project)
    served = _served(scored)
    for row in read_judge_rows(project=project):
        # Rows without a run are people beside people.
        if not row.run:
            continue
        own = bounds[row.column.key]
        yield JudgeFacts(
            name=row.column.name,
            signature=row.column.signature,
            counts=row.beside.confusion,
            # A judge that ranks no systems has no row among the rankings' intervals.
            figures={
                name: Figure.of(value, own.get(name, Undefined(Why.NO_RANKING)))
                for name, value in row.figures.items()
            },
            n=int(sum(row.beside.confusion)),
            served=served.get(row.run, ()),
            left_out=row.left_out,
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
