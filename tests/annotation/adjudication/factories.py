"""Make questions with open answers, and hand in sheets as raters do."""

from collections.abc import Mapping, Sequence
from itertools import count

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.rules import Ballot
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.submitting import submit_sheet
from annotation.projects.models import Membership, Project
from common.clock import now

_numbers = count(1)


def make_import(*, project: Project) -> DataImport:
    """Make an import that other rows can point to."""
    return DataImport.objects.create(
        project=project, state=DataImport.State.APPLIED, created_by=project.created_by, created_at=now()
    )


def make_question(*, project: Project, text: str, gold: Sequence[str] = ()) -> Question:
    """Make a question with gold answers."""
    data_import = make_import(project=project)
    question = Question.objects.create(
        project=project,
        data_import=data_import,
        key=text,
        key_hash=f"{next(_numbers):064d}",
        text=text,
        position=project.questions.count(),
    )
    GoldAnswer.objects.bulk_create(
        GoldAnswer(question=question, data_import=data_import, text=answer, position=position)
        for position, answer in enumerate(gold)
    )
    return question


def make_answers(
    *, project: Project, question: str, gold: Sequence[str] = (), texts: Sequence[str] = ()
) -> list[Candidate]:
    """Make a question with open answers, as many raters wanted as the protocol says."""
    asked = make_question(project=project, text=question, gold=gold)
    assert project.protocol is not None
    return [
        Candidate.objects.create(
            question=asked,
            project=project,
            data_import=asked.data_import,
            text=text,
            pool_hash=f"{next(_numbers):064d}",
            position=position,
            state=Candidate.State.OPEN,
            wanted=project.protocol.rules.raters_per_answer,
        )
        for position, text in enumerate(texts)
    ]


def vote(
    *, rater: Membership, labels: Mapping[str, str | None], checks: Mapping[str, bool] | None = None
) -> Sheet:
    """Hand in the rater's next sheet; a label of None is a skip, an answer not named is an error."""
    rater = Membership.objects.select_related("project__protocol").get(pk=rater.pk)
    (sheet,) = hand_out(rater=rater)
    shown = Assignment.objects.filter(sheet=sheet).select_related("candidate").order_by("position")
    answers = [
        AnswerGiven(
            id=item.candidate.public_id,
            label=labels[item.candidate.text],
            skip_reason="" if labels[item.candidate.text] else "not sure",
        )
        for item in shown
    ]
    submit_sheet(
        rater=rater,
        sheet_id=sheet.public_id,
        submission_key=f"key-{next(_numbers)}",
        answers=answers,
        checks=dict(checks or {}),
    )
    return sheet


def make_ballot(candidate_id: int, votes: Sequence[Vote]) -> Ballot:
    """Make the recorded votes on one answer."""
    return Ballot(candidate_id=candidate_id, votes=tuple(votes), question_key="")
