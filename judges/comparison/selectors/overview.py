"""Read where a project stands: what it still needs, stages, people at work, what waits, two numbers."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, Sum

from analysis.intervals import Figure
from annotation.accounts.outbox.ports import Share
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import count_waiting, waiting_answers
from annotation.agreement.rules.measures import FLEISS
from annotation.agreement.selectors.reports import Way, read_report
from annotation.assignments.models import Assignment, QuestionFlag, are_votes
from annotation.assignments.selectors.planning import find_gap, present_raters
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.selectors import Coverage, read_coverage
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.presets import find_preset
from annotation.projects.rules import Area
from annotation.projects.selectors import count_unread, kept, open_invitations
from common.clock import is_measured
from common.figures import FIGURES, words_of
from common.memory import reading_once
from judges.comparison.rules.leaderboard.standings import largest_gain, why_no_gain
from judges.comparison.rules.overview import Forecast, Load, Pace, forecast, load_of_each, votes_per_hour
from judges.comparison.rules.study import Filter, Scope, people_key
from judges.comparison.selectors.leaderboard.standings import best_scope, read_leaderboard
from judges.prejudging.selectors.certificates import count_calibrated
from judges.registry import display_name
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.selectors.progress import is_worker_running

# On fewer, one answer more can move a coefficient from one band to another.
FEW_ANSWERS = 10


@dataclass(frozen=True)
class Stage:
    """The number of answers in one stage of the work."""

    key: str
    name: str
    count: int


@dataclass(frozen=True)
class RaterProgress:
    """One annotator’s progress.

    `judged`: the number of votes. `per_hour`: the number of votes per hour of judging; null if time was not
    measured.
    """

    pseudonym: str
    name: str
    judged: int
    per_hour: float | None
    last_seen: datetime | None


@dataclass(frozen=True)
class Need:
    """Something that only a lead can settle.

    `href`: a page, relative to the project’s address.
    """

    key: str
    text: str
    count: int
    href: str


@dataclass(frozen=True)
class AgreementGist:
    """Fleiss’ kappa, and how to read it, or why there is none yet."""

    kappa: Figure
    words: str


@dataclass(frozen=True)
class Movement:
    """The system for which people’s score exceeds exact match the most, and by how much.

    `column`: the key of the column with people’s scores, which are corrected if rules settled answers or
    people judge a random sample. `scope`: which questions are covered. `judged_questions`, `n_questions`: how
    many of these have a decided answer, and how many there are. For the interval, see the system’s `gain` in
    the same column of the leaderboard. `has_long_answers`: whether the system’s answers are so long that
    exact match rarely accepts them (`median_words`).
    """

    largest_gain: float
    system: str
    label: str
    column: str
    scope: Scope
    judged_questions: int
    n_questions: int
    median_words: float
    has_long_answers: bool


@dataclass(frozen=True)
class Overview:
    """Everything on the overview page.

    `questions`: the number of questions in the sample. `left_out`: the number of further questions that
    annotators’ checks excluded from scores. `asked_questions`: how many questions have an answer that people
    judge; answers that are not linked to any row of a file with votes are not judged. `settled_by_programs`:
    the number of answers settled by pre-judging rules. `settled_with_programs`: the number decided by one
    annotator and a judge that agreed. `why_no_movement`: why there is no `movement`; empty if there is one.
    """

    stages: list[Stage]
    questions: int
    asked_questions: int
    left_out: int
    answers: int
    settled_by_programs: int
    settled_with_programs: int
    raters: list[RaterProgress]
    forecast: Forecast | None
    needs: list[Need]
    agreement: AgreementGist
    movement: Movement | None
    why_no_movement: str
    worker_running: bool


@dataclass(frozen=True)
class Setup:
    """The setup of a project: what it has, and what judging still needs.

    `to_judge`: the number of answers that people still have to decide. `protocol`: the name of the preset it
    was created from, or empty. `raters_per_answer`: the number of annotators first asked about each answer.
    `annotators_needed`: the number that the protocol needs, with tie-breaks, added up over the groups that
    are judged separately. `annotators_with_lead`: the number needed if a lead breaks ties instead.
    `annotators_present`: the number that take part. If there are several groups, each group counts for at
    most the number that it needs. `invited`: the number of open invitations for annotators. `load_of_each`:
    each annotator’s expected work, counting those still needed or invited; null if there is none. `judges`:
    the names of the judges with runs. `judges_at_work`: the number of queued and running runs. `is_ready`:
    whether people are judging, can start, or have nothing left to judge.
    """

    questions: int
    without_gold: int
    coverage: Coverage
    sampled: int
    sample_method: str
    to_judge: int
    protocol: str
    raters_per_answer: int
    annotators_needed: int
    annotators_with_lead: int
    annotators_present: int
    invited: int
    load_of_each: Load | None
    judges: list[str]
    judges_at_work: int
    is_ready: bool


def read_setup(*, project: Project) -> Setup:
    """Return what a project still needs before people can judge it."""
    answers = Candidate.objects.filter(_asked(project))
    to_judge = answers.exclude(state=Candidate.State.DECIDED).count()
    rules = project.protocol.rules if project.protocol else None
    needed = rules.annotators_needed if rules else 0
    places = _read_places(project)
    present = sum(places) if len(places) == 1 else sum(min(taken, needed) for taken in places)
    runs = list(JudgeRun.objects.filter(project=project, purpose=JudgeRun.Purpose.VERDICTS).order_by("pk"))
    at_work = [run for run in runs if run.state in (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)]
    fewest = min(places)
    has_enough = fewest >= needed or (fewest >= project.raters_at_first and _is_begun(project))
    is_open = project.state == Project.State.OPEN
    is_ready = not is_open or (answers.exists() and (has_enough or not to_judge))
    asked_first = project.raters_at_first if rules else 0
    invited = _count_invited(project)
    return Setup(
        questions=project.questions.count(),
        without_gold=_count_without_gold(project=project),
        coverage=read_coverage(project=project),
        sampled=project.questions.filter(in_sample=True).count(),
        sample_method=project.sample_method,
        to_judge=to_judge,
        protocol=_name_protocol(project),
        raters_per_answer=asked_first,
        annotators_needed=needed * len(places),
        annotators_with_lead=rules.raters_per_answer * len(places) if rules else 0,
        annotators_present=present,
        invited=invited,
        load_of_each=load_of_each(
            votes=to_judge * asked_first,
            people=max(needed * len(places), present + invited),
            # Nobody has a pace before people can judge.
            found=_read_forecast(project) if is_ready else None,
        ),
        judges=list(dict.fromkeys(display_name(run.judge_key) for run in runs)),
        judges_at_work=len(at_work),
        is_ready=is_ready,
    )


def read_share(*, project_id: int) -> Share | None:
    """Return what awaits each annotator of a project."""
    setup = read_setup(project=Project.objects.select_related("protocol").get(pk=project_id))
    load = setup.load_of_each
    return Share(answers=load.answers, seconds=load.seconds) if load else None


def _read_places(project: Project) -> list[int]:
    """Return how many annotators take part, for each group that is judged by itself; at least one number."""
    present = Counter(present_raters(project).values_list("group", flat=True))
    groups = project.systems.exclude(group="").order_by("group").values_list("group", flat=True).distinct()
    if project.protocol is None or not project.protocol.rules.pool_within_groups or not groups:
        return [present.total()]
    # Who has no group judges the answers of every group.
    return [present[group] + present[""] for group in groups]


def _name_protocol(project: Project) -> str:
    preset = find_preset(project.protocol.rules.preset) if project.protocol else None
    return preset.name if preset else ""


def _is_begun(project: Project) -> bool:
    return Judgment.objects.votes().filter(rater__project=project, rater__user__is_imported=False).exists()


@kept(Area.ITEMS)
def _count_without_gold(project: Project) -> int:
    gold = GoldAnswer.objects.filter(question=OuterRef("pk"))
    return project.questions.filter(~Exists(gold)).count()


@reading_once()
def read_overview(*, project: Project) -> Overview:
    """Return where the project stands now."""
    stages = _read_stages(project)
    paces = _read_paces(project)
    sampled = Question.objects.filter(project=project, in_sample=True)
    improper = improper_questions(project)
    by_programs, with_programs = _count_by_programs(project)
    movement, why_no_movement = _read_movement(project)
    return Overview(
        stages=stages,
        questions=sampled.exclude(pk__in=improper).count(),
        asked_questions=Candidate.objects.filter(_asked(project)).values("question").distinct().count(),
        left_out=sampled.filter(pk__in=improper).count(),
        answers=sum(stage.count for stage in stages),
        settled_by_programs=by_programs,
        settled_with_programs=with_programs,
        raters=_read_raters(project, paces),
        forecast=_read_forecast(project),
        needs=_read_needs(project),
        agreement=_read_agreement(project),
        movement=movement,
        why_no_movement=why_no_movement,
        worker_running=is_worker_running(),
    )


def _asked(project: Project) -> Q:
    asked = Q(project=project, question__in_sample=True, is_judgeable=True)
    return asked & ~Q(question__in=improper_questions(project))


def _read_stages(project: Project) -> list[Stage]:
    state = Candidate.State
    stages = {
        "waiting": Count("pk", filter=Q(state=state.OPEN, taken=0)),
        "judging": Count("pk", filter=Q(state=state.OPEN, taken__gt=0)),
    }
    asked = Candidate.objects.filter(_asked(project))
    counts = asked.aggregate(decided=Count("pk", filter=Q(state=state.DECIDED)), **stages)
    # As the queue counts: raters may also have run out, or have been unable to judge. Found out once.
    for_lead = asked.filter(pk__in=waiting_answers(project))
    of_the_lead = for_lead.aggregate(disputed=Count("pk"), **stages)
    counts = {
        "waiting": counts["waiting"] - of_the_lead["waiting"],
        "judging": counts["judging"] - of_the_lead["judging"],
        "disputed": of_the_lead["disputed"],
        "decided": counts["decided"],
    }
    names = {
        "waiting": "Not started",
        "judging": "Judging in progress",
        "disputed": "Waiting for a decision",
        "decided": "Decided",
    }
    return [Stage(key, name, counts[key]) for key, name in names.items()]


def _count_by_programs(project: Project) -> tuple[int, int]:
    decided = Candidate.objects.filter(_asked(project), state=Candidate.State.DECIDED)
    rows = Decision.objects.in_force().filter(candidate__in=decided)
    source = Decision.Source
    counts = rows.aggregate(
        by=Count("pk", filter=Q(source=source.PREJUDGED)), along=Count("pk", filter=Q(source=source.ROUTED))
    )
    return counts["by"], counts["along"]


@kept()
def _read_paces(project: Project) -> dict[int, Pace]:
    rows = (
        JudgmentRevision.objects.filter(
            are_votes("judgment"),
            is_measured("seconds"),
            judgment__rater__project=project,
            action=JudgmentRevision.Action.SUBMIT,
        )
        .values_list("judgment__rater_id")
        .annotate(Count("pk"), Sum("seconds"))
        .order_by()
    )
    return {rater: Pace(votes, seconds) for rater, votes, seconds in rows}


def _read_raters(project: Project, paces: dict[int, Pace]) -> list[RaterProgress]:
    standing = Judgment.objects.votes().filter(rater__project=project).exclude(state=Judgment.State.WITHDRAWN)
    rows = standing.order_by().values_list("rater_id").annotate(Count("pk"), Max("judged_at"))
    judged = {rater: (votes, last_seen) for rater, votes, last_seen in rows}
    members = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR)
    return [
        RaterProgress(
            pseudonym=member.pseudonym,
            name=member.user.name,
            judged=judged.get(member.pk, (0, None))[0],
            per_hour=votes_per_hour(paces.get(member.pk)),
            last_seen=judged.get(member.pk, (0, None))[1],
        )
        for member in members.select_related("user").order_by("joined_at", "pk")
        if member.pk in judged or member.state != Membership.State.LEFT
    ]


def _read_forecast(project: Project) -> Forecast | None:
    return forecast(votes_left=_votes_left(project), paces=_read_paces(project).values())


def _votes_left(project: Project) -> int:
    still_open = Candidate.objects.filter(_asked(project), state=Candidate.State.OPEN)
    wanted = still_open.aggregate(total=Sum("wanted"))["total"] or 0
    done = Assignment.objects.votes().filter(candidate__in=still_open, state=Assignment.State.DONE).count()
    return wanted - done


def _read_needs(project: Project) -> list[Need]:
    flagged = QuestionFlag.objects.filter(question__project=project).values("question").distinct().count()
    failed = RunBatch.objects.filter(
        run__project=project, run__purpose=JudgeRun.Purpose.VERDICTS, state=RunBatch.State.FAILED
    ).count()
    broken = DataImport.objects.filter(project=project, state=DataImport.State.FAILED).count()
    waiting = count_waiting(project=project)
    needs = [
        _need("queue", waiting, "answer is waiting", "answers are waiting", " for a decision"),
        _need("flags", flagged, "question was", "questions were", " flagged by annotators"),
        _need("failed_batches", failed, "batch", "batches", " of judge runs failed"),
        _need("failed_imports", broken, "import", "imports", " failed"),
        _unread(project),
        _shortage(project),
        _need("calibrated", count_calibrated(project), *_CALIBRATED),
    ]
    return [need for need in needs if need.count]


_CALIBRATED = (
    "answer in the calibration sample is decided",
    "answers in the calibration sample are decided",
    ", so you can certify a rule and apply it",
)


# Where each need is looked after.
_PLACES = {
    "queue": "queue",
    "flags": "answers?state=flagged",
    "failed_batches": "runs",
    "failed_imports": "import",
    "nobody": "people",
    "invited": "people",
    "unread": "protocol",
    "shortage": "work",
    "calibrated": "prejudging",
}


def _need(key: str, count: int, one: str, many: str, rest: str) -> Need:
    return Need(key, (one if count == 1 else many) + rest, count, _PLACES[key])


def _count_invited(project: Project) -> int:
    return open_invitations().filter(project=project, role=Membership.Role.ANNOTATOR).count()


def _unread(project: Project) -> Need:
    is_waiting = Candidate.objects.filter(_asked(project), state=Candidate.State.OPEN).exists()
    one = "annotator has not read the current guidelines and gets no work until then"
    many = "annotators have not read the current guidelines and get no work until then"
    return _need("unread", count_unread(project=project) if is_waiting else 0, one, many, "")


def _shortage(project: Project) -> Need:
    gap = find_gap(project=project, apart_from=waiting_answers(project))
    if not gap.raters_present and (invited := _count_invited(project)):
        one = "invited person has not joined yet; judging starts when they join"
        many = "invited people have not joined yet; judging starts when the first one joins"
        return _need("invited", invited, one, many, "")
    if not gap.raters_present:
        rest = ", but there is no annotator"
        return _need("nobody", gap.answers, "answer is waiting", "answers are waiting", rest)
    rest = " will wait for an annotator; check the work plan"
    if gap.raters_present < gap.raters_needed:
        available = "1 is" if gap.raters_present == 1 else f"{gap.raters_present} are"
        answer = "it" if gap.answers == 1 else "each"
        rest = f" will wait: {answer} needs {gap.raters_needed} annotators, but only {available} available"
    return _need("shortage", gap.answers, "answer", "answers", rest)


def _read_agreement(project: Project) -> AgreementGist:
    report = read_report(project=project, way=Way())
    kappa = report.figures[FLEISS]
    if kappa.value is None:
        return AgreementGist(kappa, words_of(kappa))
    band = f": {report.band}" if report.items >= FEW_ANSWERS else ", too few for a conclusion"
    words = f"{FIGURES[FLEISS].plain} over {report.items:,} answers{band}."
    return AgreementGist(kappa, words)


def _read_movement(project: Project) -> tuple[Movement | None, str]:
    board = read_leaderboard(project=project, wanted=Filter(scope=best_scope(project=project)))
    if (found := largest_gain(board)) is None:
        return None, why_no_gain(board)
    gain, row = found
    movement = Movement(
        largest_gain=gain,
        system=row.system,
        label=row.label,
        column=people_key(board.columns),
        scope=board.scope,
        judged_questions=board.judged_questions,
        n_questions=board.n_questions,
        median_words=row.median_words,
        has_long_answers=row.has_long_answers,
    )
    return movement, ""
