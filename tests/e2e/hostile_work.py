"""What was done in the hostile study, so that each text has a row, and a page that shows it."""

from datetime import timedelta

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import SENT_BACK
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import Assignment, WorkEvent
from annotation.assignments.services.work_plans import RaterWish, save_plan
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate
from annotation.items.services.corrections import correct_question
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.services.settling import settle_due
from annotation.known_answers.services import mark_known
from annotation.projects.models import GuidelinesReading, Project
from annotation.quality.services import PlanWish, save_quality_plan
from common.clock import now
from judges.connections.models import Connection
from judges.prejudging.models import PolicyApplication
from judges.registry import RECORDED_PREFIX
from judges.runs.models import Call, JudgeRun, Verdict
from judges.tagging.models import TaggedItem, TagProposal
from tests.annotation.assignments.factories import make_question
from tests.factories import make_member, make_project
from tests.world import World

TRAINEE = "trainee-hostile"


def add_work(world: World) -> None:
    """Add what the world lacks."""
    project = world.project
    first, *_, last = Candidate.objects.filter(project=project).order_by("pk")
    _correct_and_edit(first)
    _undo_what_was_done(project)
    _paid_call(project, last)
    _recorded_run(project, last)
    TagProposal.objects.create(
        item=TaggedItem.objects.get(round__project=project), tags=["secret"], proposed_at=now()
    )
    told = _tell_raters(world)
    _train(world, told)
    _plan(world)


def skip_one(world: World) -> Candidate:
    """Let the annotator have passed over one answer of the sheet in front."""
    assignment = world.cast["annotator"].assignments.filter(judgment=None).order_by("pk")[0]
    skipped = Assignment.objects.filter(pk=assignment.pk)
    skipped.update(state=Assignment.State.SKIPPED)
    return assignment.candidate


def put_into_queue(world: World, *, reason: str) -> Candidate:
    """Let an answer with votes wait for the lead, which was sent back to raters once."""
    # Done by the server later, it would give the answer the state that its votes make.
    settle_due(project_id=world.project.pk, waits=True)
    candidate = Candidate.objects.filter(
        project=world.project, judgments__isnull=False, state=Candidate.State.OPEN
    ).order_by("pk")[0]
    Candidate.objects.filter(pk=candidate.pk).update(state=Candidate.State.DISPUTED)
    Decision.objects.create(
        candidate=candidate,
        number=1,
        is_reopening=True,
        source=Decision.Source.ADJUDICATED,
        rule=SENT_BACK,
        reason=reason,
        decided_by=world.project.created_by,
        decided_at=now(),
    )
    return candidate


def decide_the_same_elsewhere(project: Project, *, name: str) -> None:
    """Let another study of the lead's have decided an answer that waits here, so that it is offered."""
    question = project.questions.order_by("position")[project.questions.count() - 1]
    answer = question.candidates.order_by("pk")[0]
    other = make_project(lead=project.created_by, slug=f"{project.slug}-elsewhere", name=name)
    same = make_question(project=other, text=question.text, answers=[answer.text])
    other.questions.update(key=question.key, key_hash=question.key_hash)
    decide_answer(
        project=other,
        candidate_id=same.candidates.get().public_id,
        by=project.created_by,
        label="correct",
        reason="-",
    )


def _correct_and_edit(candidate: Candidate) -> None:
    correct_question(
        project=candidate.project,
        public_id=candidate.question.public_id,
        text="corrected",
        reason="-",
        by=candidate.project.created_by,
    )
    judgment = Judgment.objects.filter(candidate=candidate).order_by("pk")[0]
    JudgmentRevision.objects.create(
        judgment=judgment,
        number=99,
        action=JudgmentRevision.Action.EDIT,
        state=judgment.state,
        label="incorrect",
        protocol_version=judgment.assignment.sheet.protocol_version,
        at=now(),
    )


def _undo_what_was_done(project: Project) -> None:
    lead = project.created_by
    PolicyApplication.objects.filter(project=project).update(
        state=PolicyApplication.State.UNDONE, undone_by=lead, undone_at=now()
    )
    change = GoldChange.objects.filter(question__project=project).order_by("pk")[0]
    GoldChange.objects.filter(pk=change.pk).update(undone_at=now(), undone_by=lead)


def _paid_call(project: Project, candidate: Candidate) -> None:
    """Let a model have said something about an answer that could not be read."""
    run = JudgeRun.objects.get(project=project)
    connection = Connection.objects.get(project=project)
    Call.objects.create(
        run=run,
        connection=connection,
        candidate=candidate,
        cache_key="hostile",
        state=Call.State.SETTLED,
        created_at=now(),
        settled_at=now(),
    )
    JudgeRun.objects.filter(pk=run.pk).update(connection=connection, state=JudgeRun.State.PAUSED)
    run.verdicts.filter(candidate=candidate).update(accepted=None, unscored_reason="unreadable")


def _recorded_run(project: Project, candidate: Candidate) -> None:
    """Let a file have named its judge."""
    run = JudgeRun.objects.create(
        project=project,
        judge_key=RECORDED_PREFIX,
        signature_hash=f"recorded {project.slug}",
        state=JudgeRun.State.FINISHED,
        created_at=now(),
    )
    Verdict.objects.create(run=run, candidate=candidate, accepted=True, judged_at=now())


def _tell_raters(world: World) -> Candidate:
    """Decide all of a question that the annotator judged, in words for raters; return one of its answers."""
    judgment = Judgment.objects.filter(rater=world.cast["annotator"]).order_by("pk")[0]
    candidates = list(judgment.candidate.question.candidates.order_by("pk"))
    for candidate in candidates:
        decide_answer(
            project=world.project,
            candidate_id=candidate.public_id,
            by=world.project.created_by,
            label="correct",
            reason="-",
            category=Decision.Category.OTHER,
            is_reason_shown=True,
        )
    return candidates[-1]


def _train(world: World, known: Candidate) -> None:
    """Let whoever is new be told in a training what is known; and others have read other guidelines."""
    project, lead = world.project, world.project.created_by
    mark_known(project=project, candidate=known, by=lead, use="training", label="correct", explanation="-")
    save_quality_plan(
        project=project,
        by=lead,
        wish=PlanWish(
            known_share=0,
            repeat_share=0,
            repeat_distance=30,
            repeat_hours=24,
            second_share=0,
            is_training=True,
            pass_share=0.5,
            least_answers=1,
        ),
    )
    make_member(project=project, username=TRAINEE)
    GuidelinesReading.objects.create(
        member=world.cast["annotator"], version=project.protocol, read_at=now() - timedelta(days=1)
    )


def _plan(world: World) -> None:
    """Plan the work, so that the annotator is handed no more than is in hand; and pause somebody."""
    project, annotator = world.project, world.cast["annotator"]
    had = annotator.sheets.count()
    save_plan(project=project, raters=[RaterWish(member_id=annotator.public_id, questions_at_most=had)])
    WorkEvent.objects.create(
        project=project,
        kind=WorkEvent.Kind.PAUSED,
        rater=world.cast["colleague"],
        by=project.created_by,
        at=now(),
    )
