"""Say whether people's work rests on an import that is to be taken out."""

from django.db.models import Exists, OuterRef, Q

from annotation.adjudication.models import Decision
from annotation.adjudication.services.recorded import (
    NOT_BY_VOTES,
    recorded_answers,
    refuse_discarding,
    refuse_forgetting,
    replayed_sheets,
)
from annotation.adjudication.services.reuse import MADE_BY_THE_RULE
from annotation.assignments.models import Assignment
from annotation.items.models import DataImport
from annotation.items.services import in_use, leaving_answers


def refuse_leaving(*, data_import_id: int) -> None:
    """Refuse that an import goes whose answers people hold, judged or decided, or a machine decided.

    Its own votes and decisions go with it. Raises `ImportInUse`, `VotesInUse`, `DecisionsInUse`.
    """
    data_import = DataImport.objects.get(pk=data_import_id)
    refuse_discarding(data_import=data_import)
    refuse_forgetting(data_import=data_import)
    leaving = leaving_answers(data_import_id).values("pk")
    sheets = replayed_sheets(data_import)
    held = Assignment.objects.filter(candidate__in=leaving).exclude(sheet__in=sheets)
    voted = Q(Exists(Assignment.objects.filter(candidate=OuterRef("candidate"), sheet__in=sheets)))
    recorded = Q(candidate__in=recorded_answers(data_import).values("pk"))
    # A vote of the file does not make another sort of decision its own.
    own = (voted & ~Q(source__in=NOT_BY_VOTES)) | (~voted & (MADE_BY_THE_RULE | recorded))
    staying = Decision.objects.filter(~own, candidate__in=leaving)
    count = held.count() or staying.count()
    if count:
        raise in_use(count)
