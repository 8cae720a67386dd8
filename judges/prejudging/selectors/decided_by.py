"""Count all answers by who decided them."""

from collections import Counter

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Prediction
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.prejudging.models import CalibrationAnswer, PrejudgedAnswer
from judges.prejudging.rules.decided_by import PARTS, DecidedBy

BY_PROGRAMS = {Decision.Source.PREJUDGED: "settled", Decision.Source.ROUTED: "routed"}


def read_decided_by(*, project: Project) -> DecidedBy:
    """Return how many answers each way decided, of those that are judged and count in scores.

    What people decided of a sample that was closed since is of that sample, too.
    """
    this = OuterRef("pk")
    audited = PrejudgedAnswer.objects.filter(candidate=this, undone_at=None, is_audited=True)
    groups = (
        _asked(project)
        .annotate(
            source=Subquery(Decision.objects.in_force().filter(candidate=this).values("source")[:1]),
            is_audited=Exists(audited),
            is_calibrated=Exists(CalibrationAnswer.objects.filter(candidate=this)),
        )
        .order_by()
        .values_list("source", "is_audited", "is_calibrated")
        .annotate(Count("pk"))
    )
    counts = Counter[str]()
    for source, is_audited, is_calibrated, count in groups:
        counts[_part_of(source, is_audited=is_audited, is_calibrated=is_calibrated)] += count
    return DecidedBy(answers=counts.total(), **{part: counts[part] for part in PARTS})


def _part_of(source: str | None, *, is_audited: bool, is_calibrated: bool) -> str:
    if source is None:
        return "open"
    if by_program := BY_PROGRAMS.get(Decision.Source(source)):
        return by_program
    return "audited" if is_audited else "calibrated" if is_calibrated else "others"


def _asked(project: Project) -> QuerySet[Candidate]:
    """Return the answers that the methods paragraph counts as the study's."""
    is_given = Exists(Prediction.objects.filter(candidate=OuterRef("pk")))
    rows = Candidate.objects.filter(project=project, question__in_sample=True, is_judgeable=True)
    return rows.filter(Q(from_gold=False) | is_given).exclude(question__in=improper_questions(project))
