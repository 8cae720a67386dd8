"""Read what a run still has to do, whether it takes up what comes, and what its judge gets."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.gold.selectors.ledger import ORIGINAL_VERSION, gold_lists, gold_patterns, gold_version
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question
from annotation.items.selectors import gold_only, passage_texts
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.identifiers import tell_apart
from judges import registry
from judges.methods.jury import JuryOptions, members_of
from judges.methods.learned.memory import DecidedAnswer, hash_decided
from judges.protocol import JudgeInput
from judges.registry import Reads
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.ports import tagged_verdicts
from judges.runs.rules import BURST_SECONDS, NO_GOLD

ACTIVE_STATES = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
PENDING_STATES = (RunBatch.State.OPEN, RunBatch.State.CLAIMED)
AS_RECORDED = "as-recorded"


def next_batches(*, run_id: int, at: datetime, most: int) -> list[RunBatch]:
    """Return the first batches of a run that may be taken now; open ones before those with an ended lease."""
    if not workable_runs(at=at).filter(pk=run_id).exists():
        return []
    # One after the other, without a join: each is read from the index in order, however long the run is.
    for condition in (is_free(at=at), is_abandoned(at=at)):
        if found := list(RunBatch.objects.filter(condition, run=run_id).order_by("number")[:most]):
            return found
    return []


def workable_runs(*, at: datetime) -> QuerySet[JudgeRun]:
    """Return active runs that need no connection, or one that may be called now."""
    is_awake = Q(connection__rests_until=None) | Q(connection__rests_until__lte=at)
    booked_until = at + timedelta(seconds=BURST_SECONDS)
    has_turn = Q(connection__next_call_at=None) | Q(connection__next_call_at__lte=booked_until)
    is_unlimited = Q(connection__requests_per_minute=None)
    may_call = Q(connection=None) | is_awake & (is_unlimited | has_turn)
    return JudgeRun.objects.filter(may_call, state__in=ACTIVE_STATES)


def is_free(*, at: datetime) -> Q:
    """Return the condition that a batch is open and has rested."""
    return Q(state=RunBatch.State.OPEN) & (Q(not_before=None) | Q(not_before__lte=at))


def is_abandoned(*, at: datetime) -> Q:
    """Return the condition that whoever took a batch has let its lease end."""
    return Q(state=RunBatch.State.CLAIMED, lease_expires_at__lte=at)


def waiting_runs(*, at: datetime) -> QuerySet[JudgeRun]:
    """Return the runs with work that a worker may take now."""
    claimable = RunBatch.objects.filter(is_free(at=at) | is_abandoned(at=at), run=OuterRef("pk"))
    return workable_runs(at=at).filter(Exists(claimable)).order_by("pk")


def whose_turn(*, run_id: int, at: datetime, may_call: bool) -> JudgeRun | None:
    """Return the run to take up when this one rings; None where this one has no work to take now.

    It is that of a project with the fewest runs in workers' hands; else the one that rings. may_call:
    whether it may be a run over a connection.
    """
    waiting = [run for run in waiting_runs(at=at) if may_call or run.connection_id is None]
    mine = next((run for run in waiting if run.pk == run_id), None)
    if mine is None:
        return None
    active = JudgeRun.objects.filter(state__in=ACTIVE_STATES)
    held = RunBatch.objects.filter(run__in=active, state=RunBatch.State.CLAIMED, lease_expires_at__gt=at)
    at_work = Counter(project for project, _ in held.values_list("run__project", "run").distinct().order_by())

    def place(run: JudgeRun) -> tuple[int, bool, bool, int]:
        return at_work[run.project_id], run.project_id != mine.project_id, run.pk != run_id, run.pk

    return min(waiting, key=place)


def due_runs(*, at: datetime) -> QuerySet[JudgeRun]:
    """Return runs over connections with work to take now and nobody at it: their wait is over."""
    held = RunBatch.objects.filter(run=OuterRef("pk"), state=RunBatch.State.CLAIMED, lease_expires_at__gt=at)
    return waiting_runs(at=at).exclude(Exists(held)).exclude(connection=None)


def unplanned_candidates(run: JudgeRun) -> list[int]:
    """Return the answers in a run's scope that have neither verdict nor place in a batch, in order.

    All of them for a run that is not stored yet.
    """
    candidates = answers_in_scope(run)
    planned: set[int] = set()
    if run.pk is not None:
        # Batches before verdicts: one that is settled in between is left out twice, not planned again.
        waiting = RunBatch.objects.filter(run=run).exclude(state=RunBatch.State.DONE)
        planned = {pk for ids in waiting.values_list("candidate_ids", flat=True) for pk in ids}
        judged = Verdict.objects.filter(run=run).values("candidate_id")
        candidates = candidates.exclude(pk__in=judged)
    ordered = candidates.order_by("question__position", "question_id", "pk").values_list("pk", flat=True)
    return [pk for pk in ordered if pk not in planned]


def answers_in_scope(run: JudgeRun) -> QuerySet[Candidate]:
    """Return the answers that a run takes."""
    answers = answers_of_systems(project_id=run.project_id)
    if run.only_judged:
        answers = answers.filter(is_judged_by_people())
    if run.only_dataset:
        answers = answers.filter(question__dataset=run.only_dataset)
    if run.only_system:
        given = Prediction.objects.filter(candidate=OuterRef("pk"), system__public_id=run.only_system)
        answers = answers.filter(Exists(given))
    return answers


def answers_of_systems(*, project_id: int) -> QuerySet[Candidate]:
    """Return the answers that programs judge: a gold answer that no system gave is none of them."""
    return Candidate.objects.filter(project=project_id).exclude(pk__in=gold_only(project_id=project_id))


def is_judged_by_people() -> Q:
    """Return the condition that an answer is in the judged sample, or has votes although it left it."""
    is_sampled = Q(is_judgeable=True, question__in_sample=True)
    has_votes = Q(state__in=(Candidate.State.DISPUTED, Candidate.State.DECIDED), taken__gt=0)
    return is_sampled | has_votes


def has_sample(*, project_id: int) -> bool:
    """Say whether people judge some of the answers, and not all."""
    answers = answers_of_systems(project_id=project_id)
    return answers.filter(is_judged_by_people()).exists() and answers.exclude(is_judged_by_people()).exists()


def outdated_verdicts(run: JudgeRun) -> QuerySet[Verdict]:
    """Return verdicts given before their question was corrected, or its gold answers came in or left again.

    A run that goes by an amended list is another run when the list changes; recorded verdicts and a jury's
    never are.
    """
    if run.gold_version == AS_RECORDED or registry.get_entry(run.judge_key).reads is Reads.VERDICTS:
        return Verdict.objects.none()
    corrected = Q(candidate__question__corrected_at__gt=F("judged_at"))
    if run.gold_version != ORIGINAL_VERSION:
        return Verdict.objects.filter(corrected, run=run)
    golds = GoldAnswer.objects.filter(question=OuterRef("candidate__question"))
    came_later = Exists(golds.filter(data_import__applied_at__gt=OuterRef("judged_at")))
    left_again = ~Exists(golds) & ~Q(unscored_reason=NO_GOLD)
    return Verdict.objects.filter(corrected | came_later | left_again, run=run)


def is_outdated(run: JudgeRun) -> bool:
    """Say whether a run has to be started again: since it judged, questions or gold answers have changed.

    Lexical judges are, by whatever brings gold answers.
    """
    if registry.get_entry(run.judge_key).is_lexical:
        return False
    # The newest change first, since there is none since most runs, and the verdicts are many.
    imports = DataImport.objects.filter(project=run.project_id)
    questions = Question.objects.filter(project=run.project_id)
    times = [
        *imports.aggregate(Max("applied_at"), Max("undone_at")).values(),
        *questions.aggregate(Max("corrected_at")).values(),
    ]
    newest = max((time for time in times if time), default=None)
    return newest is not None and outdated_verdicts(run).filter(judged_at__lt=newest).exists()


def has_gold_moved(run: JudgeRun) -> bool:
    """Say whether a run goes by an amended gold list that is no longer the present one."""
    is_amended = run.gold_version not in {ORIGINAL_VERSION, AS_RECORDED}
    return is_amended and run.gold_version != gold_version(run.project, amended=True)


def sample_room(run: JudgeRun, *, unplanned: int) -> int:
    """Return how many answers its sample still lacks, where so many have neither verdict nor place."""
    planned = answers_in_scope(run).count() - unplanned
    return max(0, (run.sample_size or 0) - planned)


class FollowingNote(StrEnum):
    """Why the choice to judge new answers as they arrive is not open, or is without effect.

    ALWAYS: the judge costs nothing and is always extended. RECORDED: a file holds the verdicts. TAGS: it
    gives no verdicts. MEMBERS: a jury reads what its members say first. DECISIONS: each decision makes it
    another run. CORPUS: each new gold answer does. SAMPLE: the run is limited to a sample. CANCELLED: a
    person stopped it. ARCHIVED: its connection takes no more calls. CAP: it was chosen, and calls cost money
    by now that nothing limits.
    """

    ALWAYS = "always"
    RECORDED = "recorded"
    TAGS = "tags"
    MEMBERS = "members"
    DECISIONS = "decisions"
    CORPUS = "corpus"
    SAMPLE = "sample"
    CANCELLED = "cancelled"
    ARCHIVED = "archived"
    CAP = "cap"


def is_following(run: JudgeRun) -> bool:
    """Say whether a run judges new answers as they arrive."""
    note = find_following_note(run)
    return note is FollowingNote.ALWAYS or (run.follows and note is None)


def is_extended(run: JudgeRun) -> bool:
    """Say whether a run is taken up when items come or go.

    A sample of a lexical judge is, too: it judges no more, but again where gold answers came or went.
    """
    is_sample = find_following_note(run) is FollowingNote.SAMPLE
    return is_following(run) or (is_sample and _note_of_judge(run) is FollowingNote.ALWAYS)


def find_following_note(run: JudgeRun) -> FollowingNote | None:
    """Return why a run's choice is not open, or is without effect; None where it counts."""
    if run.state == JudgeRun.State.CANCELLED:
        return FollowingNote.CANCELLED
    if run.sample_size is not None:
        return FollowingNote.SAMPLE
    if note := _note_of_judge(run):
        return note
    if run.connection is not None and run.connection.archived_at is not None:
        return FollowingNote.ARCHIVED
    return FollowingNote.CAP if run.follows and lacks_cap(run) else None


def _note_of_judge(run: JudgeRun) -> FollowingNote | None:
    entry = registry.get_entry(run.judge_key)
    if run.purpose != JudgeRun.Purpose.VERDICTS:
        return FollowingNote.TAGS
    if not entry.is_startable:
        return FollowingNote.RECORDED
    if entry.needs is registry.Needs.MEMBERS:
        return FollowingNote.MEMBERS
    if entry.needs is registry.Needs.DECISIONS:
        return FollowingNote.DECISIONS
    if "corpus" in dict(run.stated):
        return FollowingNote.CORPUS
    return FollowingNote.ALWAYS if entry.is_lexical and run.gold_version == ORIGINAL_VERSION else None


def lacks_cap(run: JudgeRun) -> bool:
    """Say whether a run's calls cost money and the run itself has no limit."""
    connection = run.connection
    costs = connection is not None and (connection.input_price > 0 or connection.output_price > 0)
    return costs and run.spend_cap is None


JURY = "jury"


class SaidBefore(NamedTuple):
    """What other runs said of an answer, as its judge gets it.

    accepted: what the members of a jury said, in their order, None where one did not; flags: all of theirs.
    beside: what the run beside a learned judge says, as in `JudgeInput`.
    """

    accepted: tuple[bool | None, ...] = ()
    flags: tuple[str, ...] = ()
    beside: float = 0.0


def is_jury(run: JudgeRun) -> bool:
    """Say whether a run reads other runs' verdicts."""
    return registry.get_entry(run.judge_key).needs is registry.Needs.MEMBERS


def jury_options(options: Mapping[str, Any]) -> JuryOptions:
    """Return the options of a jury, without the choice of gold."""
    own = {name: options[name] for name in ("members", "rule") if name in options}
    made: JuryOptions = registry.make_options(registry.get_entry(JURY), own)
    return made


def named_members(options: Mapping[str, Any]) -> list[str]:
    """Return the public ids of the members that a jury's options name, in their order."""
    return members_of(jury_options(options))


def named_beside(options: Mapping[str, Any]) -> str:
    """Return the public id of the run whose verdicts a learned judge hears besides; empty for none."""
    return str(options.get("beside", ""))


def heard_runs(run: JudgeRun) -> list[str]:
    """Return the public ids of the runs whose verdicts a run reads."""
    if is_jury(run):
        return named_members(run.options)
    return [beside] if (beside := named_beside(run.options)) else []


def find_members(*, project: Project, public_ids: Iterable[str]) -> dict[str, JudgeRun]:
    """Return the project's runs of these public ids that give verdicts."""
    runs = project.judge_runs.filter(purpose=JudgeRun.Purpose.VERDICTS, public_id__in=list(public_ids))
    return {run.public_id: run for run in runs}


def member_names(project: Project, runs: Iterable[JudgeRun]) -> dict[int, list[str]]:
    """Return by jury what people call its members, in their order; of equal names each has its run's id."""
    seats = {run.pk: named_members(run.options) for run in runs if is_jury(run)}
    if not seats:
        return {}
    found = find_members(project=project, public_ids=chain.from_iterable(seats.values()))
    names = {member: registry.display_name(run.judge_key) for member, run in found.items()}
    return {
        pk: tell_apart((names.get(member, member), member) for member in seat) for pk, seat in seats.items()
    }


def member_verdicts(run: JudgeRun, candidate_ids: Iterable[int]) -> dict[int, SaidBefore]:
    """Return what the members said of each answer."""
    members = named_members(run.options)
    ids = list(candidate_ids)
    said: dict[tuple[int, str], tuple[bool | None, str]] = {
        (candidate_id, member): (accepted, flags)
        for candidate_id, member, accepted, flags in Verdict.objects.filter(
            run__project=run.project_id, run__public_id__in=members, candidate__in=ids
        ).values_list("candidate_id", "run__public_id", "accepted", "flags")
    }
    return {pk: _together([said.get((pk, member), (None, "")) for member in members]) for pk in ids}


def _together(said: Sequence[tuple[bool | None, str]]) -> SaidBefore:
    flags = dict.fromkeys(flag for _, flags in said for flag in flags.split(",") if flag)
    return SaidBefore(tuple(accepted for accepted, _ in said), tuple(flags))


def verdicts_beside(project: Project, public_id: str, candidate_ids: Iterable[int]) -> dict[int, float]:
    """Return what a run says of answers, from -1 (surely wrong) to 1 (surely right), where it says anything.

    A judge that states no probability is taken at its word.
    """
    run = find_members(project=project, public_ids=[public_id]).get(public_id)
    if run is None:
        return {}
    states = registry.get_entry(run.judge_key).states_probability
    said = run.verdicts.filter(candidate__in=list(candidate_ids), accepted__isnull=False)
    return {
        candidate: 2.0 * (score if states and score is not None else float(bool(accepted))) - 1.0
        for candidate, accepted, score in said.values_list("candidate_id", "accepted", "score")
    }


def verdicts_before_heard(run: JudgeRun) -> QuerySet[Verdict]:
    """Return a run's verdicts that are older than a verdict that it read on the same answer.

    A verdict bears the time at which its judge read the answer, so one stored later may look older.
    """
    is_newer = Q(judged_at__gt=OuterRef("judged_at")) | Q(pk__gt=OuterRef("pk"))
    of_members = Verdict.objects.filter(
        is_newer,
        run__project=run.project_id,
        run__public_id__in=heard_runs(run),
        candidate=OuterRef("candidate"),
    )
    return Verdict.objects.filter(Exists(of_members), run=run)


def have_heard_moved(run: JudgeRun) -> bool:
    """Say whether a run that heard others has to be started again: one of them judged since, or is gone."""
    heard = heard_runs(run)
    if not heard:
        return False
    found = find_members(project=run.project, public_ids=heard)
    return len(found) < len(heard) or verdicts_before_heard(run).exists()


def find_readers_of_people(*, project: Project) -> frozenset[str]:
    """Return the runs, by public id, that were told what people decided, themselves or a jury’s member."""
    found: set[str] = set()
    rows = project.judge_runs.order_by("pk").values_list("public_id", "judge_key", "options")
    # A jury is younger than its members.
    for public_id, key, options in rows:
        if key in registry.READS_PEOPLE or (key == JURY and found.intersection(named_members(options))):
            found.add(public_id)
    return frozenset(found)


def have_decisions_moved(run: JudgeRun) -> bool:
    """Say whether people decided otherwise since a judge was told what they decided."""
    told = dict(run.stated).get("decisions")
    return told is not None and told != hash_of_decisions(project=run.project, gold_version=run.gold_version)


@kept(Area.ITEMS, Area.WORK)
def hash_of_decisions(*, project: Project, gold_version: str) -> str:
    """Return what the signature of a judge that is told of people's decisions would say of them now."""
    return hash_decided(read_decided(project, gold_version=gold_version))


class _Golds(NamedTuple):
    strings: tuple[str, ...]
    patterns: tuple[str, ...]


_NOTHING_SAID = SaidBefore()


def judge_inputs(run: JudgeRun, candidate_ids: Iterable[int]) -> dict[int, JudgeInput]:
    """Return what the judge gets of each answer that still exists, by the answer's id, question by question.

    Three reads by primary key or question: joined, or narrowed to the project, they would go through whole
    tables wherever the database has no statistics yet, as it has none just after an import.
    """
    answers = Candidate.objects.filter(pk__in=list(candidate_ids))
    rows = list(answers.values_list("question_id", "pk", "text", "project_id").order_by())
    question_ids = {row[0] for row in rows}
    asked = Question.objects.filter(pk__in=question_ids).values_list("pk", "position", "text")
    questions = {pk: (position, text) for pk, position, text in asked}
    golds = golds_of(question_ids, project=run.project, gold_version=run.gold_version)
    said = _said_before(run, [row[1] for row in rows])
    # Only a prompt that contains them names them in its signature.
    passages = passage_texts(question_ids=question_ids) if "passages_hash" in dict(run.stated) else {}
    rows.sort(key=lambda row: (questions[row[0]][0], row[0], row[1]))
    return {
        pk: JudgeInput(
            questions[question_id][1],
            text,
            golds[question_id].strings,
            golds[question_id].patterns,
            *said.get(pk, _NOTHING_SAID),
            passages=passages.get(question_id, ()),
        )
        for question_id, pk, text, project_id in rows
        if project_id == run.project_id
    }


def _said_before(run: JudgeRun, candidate_ids: Sequence[int]) -> Mapping[int, SaidBefore]:
    """Return what other judges said, for programs that read it."""
    if is_jury(run):
        return member_verdicts(run, candidate_ids)
    if beside := named_beside(run.options):
        said = verdicts_beside(run.project, beside, candidate_ids)
        return {pk: SaidBefore(beside=value) for pk, value in said.items()}
    if run.purpose != JudgeRun.Purpose.TAGS:
        return {}
    tagged = tagged_verdicts(run_id=run.pk, candidate_ids=candidate_ids)
    return {pk: SaidBefore(accepted=(accepted,)) for pk, accepted in tagged.items()}


def golds_of(question_ids: set[int], *, project: Project, gold_version: str) -> dict[int, _Golds]:
    """Return the gold answers of each question, made once for all its answers."""
    texts: dict[int, list[str]] = {question_id: [] for question_id in question_ids}
    patterns: dict[int, set[str]] = defaultdict(set)
    rows = GoldAnswer.objects.filter(question__in=question_ids).order_by("question_id", "position", "pk")
    for question_id, text, kind in rows.values_list("question_id", "text", "kind"):
        texts[question_id].append(text)
        if kind == GoldAnswer.Kind.REGEX:
            patterns[question_id].add(text)
    lists: Mapping[int, Sequence[str]] = texts
    # Recorded verdicts were given before anything was amended here.
    if gold_version not in {ORIGINAL_VERSION, AS_RECORDED}:
        lists = gold_lists(project, True, question_ids=question_ids)
        for question_id, added in gold_patterns(project, True, question_ids=question_ids).items():
            patterns[question_id] |= added
    return {question_id: _parted(lists[question_id], patterns[question_id]) for question_id in question_ids}


def _parted(golds: Sequence[str], patterns: set[str]) -> _Golds:
    return _Golds(
        strings=tuple(text for text in golds if text not in patterns),
        patterns=tuple(text for text in golds if text in patterns),
    )


def read_corpus(project: Project, *, is_amended: bool) -> tuple[str, ...]:
    """Return the gold answers of all questions of the project, patterns left out, in one order."""
    lists = gold_lists(project, is_amended)
    patterns = gold_patterns(project, is_amended)
    nothing: frozenset[str] = frozenset()
    return tuple(
        sorted(
            text for question, golds in lists.items() for text in set(golds) - patterns.get(question, nothing)
        )
    )


def read_decided(
    project: Project, *, gold_version: str, beside: str = "", question_id: int | None = None
) -> tuple[DecidedAnswer, ...]:
    """Return the answers of systems that people decided to accept or to reject, in one order.

    beside: the public id of the run whose verdicts come with them. question_id: only those to one question.
    What verdicts settled, or equality with gold, is none of them: people said nothing of it.
    """
    if project.protocol is None:
        return ()
    protocol = project.protocol.rules
    rows = (
        Decision.objects.in_force()
        .filter(candidate__in=answers_of_systems(project_id=project.pk))
        .filter(label__in=protocol.accepted_keys | protocol.rejected_keys)
        .without_programs()
        .exclude(rule=GOLD_EQUAL_RULE)
        .values_list(
            "candidate__question_id", "candidate__question__text", "candidate__text", "label", "candidate_id"
        )
    )
    if question_id is not None:
        rows = rows.filter(candidate__question=question_id)
    found = list(rows.order_by("candidate__question_id", "candidate_id"))
    golds = golds_of({row[0] for row in found}, project=project, gold_version=gold_version)
    said = verdicts_beside(project, beside, [row[4] for row in found]) if beside else {}
    return tuple(
        DecidedAnswer(
            asked, golds[question_id].strings, text, label in protocol.accepted_keys, said.get(pk, 0.0)
        )
        for question_id, asked, text, label, pk in found
    )


def has_patterns(project: Project) -> bool:
    """Say whether any gold answer of the project is a regular expression."""
    return GoldAnswer.objects.filter(question__project=project, kind=GoldAnswer.Kind.REGEX).exists()
