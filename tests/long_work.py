"""All that writes rows whose number grows with the study, and a study to do it on, however large."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.reuse import reuse_decisions, undo_reuse
from annotation.assignments.services.work_plans import save_plan
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.rules import key_of_question, pool_hash, text_hash
from annotation.items.services.applying import apply_import, fail_import, undo_import
from annotation.items.services.samples import set_sample
from annotation.items.services.uploads import check_import, create_import
from annotation.projects.models import Project
from annotation.projects.services.making import copy_project, set_state
from annotation.projects.services.protocols import set_protocol
from annotation.release.services import delete_project, start_export, sweep_deletions
from benchmarks.apparatus import study
from common.clock import now
from judges.connections.models import Connection
from judges.prejudging.services.policies import (
    apply_policy,
    make_policy,
    save_policy,
    undo_application,
    work_on_application,
)
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.services.control import cancel_run, continue_run, retry_failed, start_run
from judges.runs.services.worker import sweep_runs, take_turn
from judges.tagging.models import TaggingRound
from judges.tagging.rules.rounds import Filter
from judges.tagging.services import start_round
from tests.annotation.items.conftest import uploads_of
from tests.factories import make_project

BATCH = 5_000
Prepared = Callable[[], Any]


def make_study(patch: pytest.MonkeyPatch, *, questions: int, answers: int) -> Project:
    """Fill a project with so many questions and answers, three votes on each, and what judges said."""
    patch.setattr(study, "QUESTIONS", questions)
    patch.setattr(study, "ANSWERS_A_QUESTION", answers)
    patch.setattr(study, "SYSTEMS", answers + 1)
    project = make_project(slug="long", preset="openqa-eval")
    study.fill_study(project)
    questions_made = list(project.questions.order_by("pk"))
    for question in questions_made:
        # As an import names them, so that other projects know them again.
        question.key = key_of_question(text=question.text)
        question.key_hash = text_hash(question.key)
    Question.objects.bulk_update(questions_made, ["key", "key_hash"], batch_size=1_000)
    DataImport.objects.filter(project=project).update(state=DataImport.State.APPLIED)
    return project


def change_protocol(**changes: Any) -> Callable[[Project], Prepared]:
    def prepare(project: Project) -> Prepared:
        assert project.protocol is not None
        spec = {**project.protocol.spec, **changes}
        return lambda: set_protocol(project=project, spec=spec)

    return prepare


def draw_sample(project: Project) -> Prepared:
    size = project.questions.count() // 3
    return lambda: set_sample(project=project, method="seed", size=size)


def draw_all_again(project: Project) -> Prepared:
    draw_sample(project)()
    return lambda: set_sample(project=project, method="all")


def plan_work(project: Project) -> Prepared:
    return lambda: save_plan(project=project, goes_first=["nq"])


def delete(project: Project) -> Prepared:
    set_state(project=project, state=Project.State.ARCHIVED)
    start_export(project=project, format_key="openqa-eval-gold", by=project.created_by)
    return lambda: delete_project(project=project, name=project.name)


def waiting_answers(project: Project) -> Project:
    """Return a project with the same questions and answers, on which nobody has voted yet."""
    copied = _copy(project)
    data_import = DataImport.objects.create(
        project=copied,
        format="generic",
        state=DataImport.State.APPLIED,
        created_by=project.created_by,
        created_at=now(),
        applied_at=now(),
        rows_total=project.questions.count(),
        rows_done=project.questions.count(),
    )
    questions = _questions_again(project, data_import)
    _answers_again(project, data_import, questions)
    return copied


def _questions_again(project: Project, data_import: DataImport) -> dict[str, Question]:
    made = Question.objects.bulk_create(
        (
            Question(
                project_id=data_import.project_id,
                data_import=data_import,
                key=each.key,
                key_hash=each.key_hash,
                text=each.text,
                dataset=each.dataset,
                position=each.position,
            )
            for each in project.questions.order_by("pk")
        ),
        batch_size=BATCH,
    )
    GoldAnswer.objects.bulk_create(
        (GoldAnswer(question=each, data_import=data_import, text="gold", position=0) for each in made),
        batch_size=BATCH,
    )
    return {question.key: question for question in made}


def _answers_again(project: Project, data_import: DataImport, questions: dict[str, Question]) -> None:
    places = range(study.ANSWERS_A_QUESTION)
    systems = System.objects.bulk_create(
        System(
            project_id=data_import.project_id, data_import=data_import, name=f"s{place}", label=f"S{place}"
        )
        for place in places
    )
    former = Candidate.objects.filter(project=project, from_gold=False).order_by("pk")
    made = Candidate.objects.bulk_create(
        (
            Candidate(
                project_id=data_import.project_id,
                question=questions[key],
                data_import=data_import,
                text=text,
                pool_hash=pool_hash(text, pooling=project.pooling),
                position=position,
                state=Candidate.State.OPEN,
                wanted=2,
            )
            for key, text, position in former.values_list("question__key", "text", "position")
        ),
        batch_size=BATCH,
    )
    Prediction.objects.bulk_create(
        (
            Prediction(
                system=systems[each.position],
                question_id=each.question_id,
                candidate=each,
                data_import=data_import,
                text=each.text,
            )
            for each in made
        ),
        batch_size=BATCH,
    )


def _items(project: Project) -> Iterable[dict[str, Any]]:
    rows = Candidate.objects.filter(project=project).order_by("question__position", "position")
    for text, place, question in rows.values_list("text", "position", "question__text"):
        yield {"question": question, "answers": ["gold"], "system": f"s{place}", "prediction": text}


def _upload(project: Project, rows: Iterable[dict[str, Any]]) -> DataImport:
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    files = uploads_of({"rows.jsonl": lines})
    return create_import(project=project, by=project.created_by, files=files, format_key="generic")


def _apply(data_import: DataImport) -> None:
    DataImport.objects.filter(pk=data_import.pk).update(state=DataImport.State.APPLYING)
    apply_import(import_id=data_import.pk)


def _copy(project: Project) -> Project:
    number = Project.objects.count()
    return copy_project(project=project, lead=project.created_by, name="Further", slug=f"further-{number}")


def bring_in(project: Project) -> Prepared:
    data_import = _upload(_copy(project), _items(project))
    return lambda: _apply(data_import)


def check(project: Project) -> Prepared:
    data_import = _upload(waiting_answers(project), _items(project))
    DataImport.objects.filter(pk=data_import.pk).update(state=DataImport.State.CHECKING)
    return lambda: check_import(import_id=data_import.pk)


def undo(project: Project) -> Prepared:
    data_import = DataImport.objects.get(project=waiting_answers(project))
    return lambda: undo_import(data_import=data_import)


def undo_votes(project: Project) -> Prepared:
    """Undo the study itself, as if its raters had come with their votes in a file."""
    data_import = DataImport.objects.get(project=project)
    DataImport.objects.filter(pk=data_import.pk).update(format="openqa-eval-votes")
    data_import.refresh_from_db()
    User.objects.filter(memberships__in=project.members.filter(role="annotator")).update(is_imported=True)
    project.sheets.update(handed_out_at=data_import.created_at)
    TaggingRound.objects.filter(project=project).delete()
    return lambda: undo_import(data_import=data_import)


def fail(project: Project) -> Prepared:
    data_import = DataImport.objects.get(project=waiting_answers(project))
    DataImport.objects.filter(pk=data_import.pk).update(state=DataImport.State.APPLYING)
    return lambda: fail_import(data_import=data_import, message="It broke.")


def reuse(project: Project) -> Prepared:
    copied = waiting_answers(project)
    return lambda: reuse_decisions(project=copied, by=project.created_by, source=project.slug)


def give_back_reused(project: Project) -> Prepared:
    copied = waiting_answers(project)
    reuse_decisions(project=copied, by=project.created_by, source=project.slug)
    return lambda: undo_reuse(project=copied, by=project.created_by, source=project.slug, reason="Why not.")


def delete_on(project: Project) -> Prepared:
    copied = waiting_answers(project)
    Project.objects.filter(pk=copied.pk).update(deleted_at=now())
    return sweep_deletions


def _policy(project: Project) -> Any:
    copied = waiting_answers(project)
    run = start_run(project=copied, judge_key="exact_match", options={})
    _judge_all(run)
    rule = {"runs": [run.public_id], "condition": "all_reject"}
    save_policy(project=copied, policy=make_policy(project=copied, rules=[rule], audit_share=0.1, seed=1))
    return apply_policy(project=copied)


def _judge_all(run: JudgeRun) -> None:
    while run.state != JudgeRun.State.FINISHED:
        take_turn(run_id=run.pk, batches=1_000, seconds=60.0)
        run.refresh_from_db()


def judge(project: Project) -> Prepared:
    run = start_run(project=waiting_answers(project), judge_key="containment", options={})
    return lambda: _judge_all(run)


def retry(project: Project) -> Prepared:
    start_judge(project)()
    run = JudgeRun.objects.latest("pk")
    run.batches.update(state=RunBatch.State.FAILED, error="The provider was away.")
    JudgeRun.objects.filter(pk=run.pk).update(state=JudgeRun.State.FINISHED)
    return lambda: retry_failed(run=run)


def plan_on(project: Project) -> Prepared:
    start_judge(project)()
    run = JudgeRun.objects.latest("pk")
    run.batches.all().delete()
    JudgeRun.objects.filter(pk=run.pk).update(planning_until=now())
    return lambda: sweep_runs(at=now())


def cancel_judge(project: Project) -> Prepared:
    start_judge(project)()
    run = JudgeRun.objects.latest("pk")
    return lambda: cancel_run(run=run)


def start_judge(project: Project) -> Prepared:
    copied = waiting_answers(project)
    _connect(copied)
    return lambda: _started(copied)


def extend_judge(project: Project) -> Prepared:
    copied = waiting_answers(project)
    _connect(copied)
    run = _started(copied, sample_size=1)
    return lambda: continue_run(run=run)


def judge_again(project: Project) -> Prepared:
    copied = waiting_answers(project)
    run = start_run(project=copied, judge_key="exact_match", options={})
    _judge_all(run)
    copied.questions.update(corrected_at=now())
    return lambda: start_run(project=copied, judge_key="exact_match", options={})


def _connect(project: Project) -> None:
    """Make a connection to a model at an address that nobody may call."""
    Connection.objects.create(
        project=project,
        name="nowhere",
        base_url="https://127.0.0.1:9/v1",
        model="none",
        key_last_four="",
        created_by=project.created_by,
        created_at=now(),
    )


def _started(project: Project, **fields: Any) -> JudgeRun:
    """Start a judge that takes an answer at a time."""
    connection = project.connections.get()
    return start_run(
        project=project, judge_key="llm", options={}, connection_id=connection.public_id, **fields
    )


def settle(project: Project) -> Prepared:
    application = _policy(project)
    return lambda: work_on_application(application_id=application.pk)


def unsettle(project: Project) -> Prepared:
    application = _policy(project)
    work_on_application(application_id=application.pk)
    application.refresh_from_db()
    undo_application(application=application, by=project.created_by, reason="Why not.")
    return lambda: work_on_application(application_id=application.pk)


def draw_round(project: Project) -> Prepared:
    return lambda: start_round(
        project=project,
        by=project.created_by,
        name="Round",
        set_key="kamalloo",
        wanted=Filter(),
        size=5,
        seed=1,
    )


# What is prepared is left out; what it returns is done while somebody else wants to write.
WORKS: dict[str, Callable[[Project], Prepared]] = {
    "asking more annotators": change_protocol(raters_per_answer=3),
    "asking fewer annotators": change_protocol(raters_per_answer=1),
    "putting gold among the answers": change_protocol(gold_among_answers=True),
    "drawing a sample": draw_sample,
    "judging everything again": draw_all_again,
    "saving a work plan": plan_work,
    "checking an import": check,
    "bringing an import in": bring_in,
    "undoing an import": undo,
    "taking a failed import out": fail,
    "reusing decisions": reuse,
    "giving reused decisions back": give_back_reused,
    "starting a judge": start_judge,
    "continuing a judge after its sample": extend_judge,
    "judging": judge,
    "planning on where somebody died": plan_on,
    "judging again what failed": retry,
    "judging again what was corrected": judge_again,
    "cancelling a judge": cancel_judge,
    "applying a policy": settle,
    "undoing a policy": unsettle,
    "drawing a tagging round": draw_round,
    "deleting on where somebody died": delete_on,
    # The last two end the study itself.
    "undoing an import of votes": undo_votes,
    "deleting a project": delete,
}
