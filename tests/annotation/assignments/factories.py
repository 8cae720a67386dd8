"""Make questions with open answers, and judge sheets as the browser does."""

from collections.abc import Mapping
from hashlib import sha256
from itertools import count

from annotation.assignments.models import Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.recording import SubmitOutcome
from annotation.judgments.services.submitting import submit_sheet
from annotation.projects.models import Membership, Project
from common.clock import now

_keys = count(1)


def new_key() -> str:
    return f"submission-{next(_keys)}"


def make_import(*, project: Project) -> DataImport:
    return DataImport.objects.create(
        project=project,
        state=DataImport.State.APPLIED,
        created_by=project.created_by,
        created_at=now(),
    )


def make_question(
    *, project: Project, answers: int | list[str] = 2, text: str = "", data_import: DataImport | None = None
) -> Question:
    """Make a question with answers that wait for the protocol's number of raters."""
    data_import = data_import or make_import(project=project)
    position = project.questions.count()
    question = Question.objects.create(
        project=project,
        data_import=data_import,
        key=f"question {position}",
        key_hash=f"question {position}",
        text=text or f"Question {position}?",
        position=position,
    )
    texts = [f"answer {number}" for number in range(answers)] if isinstance(answers, int) else answers
    assert project.protocol is not None
    Candidate.objects.bulk_create(
        Candidate(
            question=question,
            project=project,
            data_import=data_import,
            text=text,
            pool_hash=sha256(text.encode()).hexdigest(),
            position=place,
            state=Candidate.State.OPEN,
            wanted=project.protocol.rules.raters_per_answer,
        )
        for place, text in enumerate(texts)
    )
    return question


def make_source(*, candidate: Candidate, system: str, gold: str = "") -> None:
    """Say which system gave an answer, and add a gold answer to its question."""
    made, _ = System.objects.get_or_create(
        project=candidate.project,
        name=system,
        defaults={"label": system, "data_import": candidate.data_import},
    )
    Prediction.objects.create(
        system=made,
        question=candidate.question,
        candidate=candidate,
        data_import=candidate.data_import,
        text=candidate.text,
    )
    if gold:
        GoldAnswer.objects.create(
            question=candidate.question,
            data_import=candidate.data_import,
            text=gold,
            position=candidate.question.gold_answers.count(),
        )


def one_candidate(question: Question) -> Candidate:
    return question.candidates.order_by("position").first() or Candidate()


def given_for(sheet: Sheet, labels: str | Mapping[str, str | None]) -> list[AnswerGiven]:
    """Return one label for every answer of a sheet, or a label by answer text (None: skipped)."""
    texts = {
        item.candidate.public_id: item.candidate.text
        for item in sheet.assignments.select_related("candidate")
    }
    chosen = {id_: labels if isinstance(labels, str) else labels[text] for id_, text in texts.items()}
    return [
        AnswerGiven(id=id_, label=label, skip_reason="" if label else "I do not know")
        for id_, label in chosen.items()
    ]


def no_to_all(sheet: Sheet) -> dict[str, bool]:
    """Answer every question about the question with no."""
    return {check.key: False for check in sheet.protocol_version.rules.question_checks}


def judge(
    sheet: Sheet, labels: str | Mapping[str, str | None] = "correct", **options: object
) -> SubmitOutcome:
    """Hand in a sheet with one label for all answers, or with a label by answer text."""
    options.setdefault("submission_key", new_key())
    options.setdefault("checks", no_to_all(sheet))
    return submit_sheet(
        rater=sheet.rater,
        sheet_id=sheet.public_id,
        answers=given_for(sheet, labels),
        **options,
    )


def judge_next(rater: Membership, labels: str | Mapping[str, str | None] = "correct") -> Sheet:
    """Take the next sheet, hand it in and return it as it stands then."""
    (sheet,) = hand_out(rater=rater)
    judge(sheet, labels)
    sheet.refresh_from_db()
    return sheet
