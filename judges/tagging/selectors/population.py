"""Find the decided answers that a round is about."""

from collections.abc import Mapping

from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Prediction
from annotation.items.selectors import gold_entries
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.runs.models import Verdict
from judges.tagging.rules import AnswerFacts, Filter, fits


def find_population(*, project: Project, wanted: Filter) -> list[AnswerFacts]:
    """Return the answers of the judged sample that people decided and for which the filter holds.

    Decided means by people: what verdicts settled would only show judges beside themselves.
    """
    accepted = _verdicts(project, wanted.run)
    golds = gold_entries(questions=project.questions.all()) if wanted.beyond_gold else {}
    credit_of = (
        {label.key: label.credit.value for label in project.protocol.rules.labels} if project.protocol else {}
    )
    rows = _decisions(project, wanted).values_list(
        "candidate_id",
        "candidate__public_id",
        "candidate__question_id",
        "candidate__question__public_id",
        "candidate__text",
        "label",
    )
    answers = (
        AnswerFacts(
            id=pk,
            name=name,
            question=question,
            question_name=question_name,
            credit=credit_of.get(label, ""),
            accepted=accepted.get(pk),
            equals_gold=wanted.beyond_gold and golds[question].has(text),
        )
        for pk, name, question, question_name, text, label in rows
    )
    return [answer for answer in answers if fits(answer, wanted)]


def _decisions(project: Project, wanted: Filter) -> QuerySet[Decision]:
    rows = Decision.objects.in_force().filter(
        candidate__project=project, candidate__question__in_sample=True, candidate__is_judgeable=True
    )
    rows = rows.exclude(source=Decision.Source.PREJUDGED)
    rows = rows.exclude(candidate__question__in=improper_questions(project))
    if wanted.system:
        given = Prediction.objects.filter(system__project=project, system__public_id=wanted.system)
        rows = rows.filter(candidate__in=given.values("candidate_id"))
    if wanted.flag:
        flagged = QuestionFlag.objects.filter(question__project=project, kind=wanted.flag)
        rows = rows.filter(candidate__question__in=flagged.values("question_id"))
    return rows.order_by("candidate_id")


def _verdicts(project: Project, run: str) -> Mapping[int, bool]:
    if not run:
        return {}
    rows = Verdict.objects.filter(run__project=project, run__public_id=run, accepted__isnull=False)
    return {pk: bool(accepted) for pk, accepted in rows.values_list("candidate_id", "accepted")}
