"""Votes and decisions that files bring: stored, settled and taken out again."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from analysis.text import name_of_rater
from annotation.accounts.services import create_imported_rater
from annotation.adjudication.events import DecisionsChanged, DecisionsDiscarded
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import RELEASED_LIST, WITHDRAWN_TOGETHER, label_of_word
from annotation.adjudication.services.settling import (
    MADE_BY_THE_RULE,
    add_decisions,
    settle_candidates,
    standings_of,
)
from annotation.assignments.models import Assignment, PilotQuestion, Sheet
from annotation.assignments.services.handing_out import freeze, require_may_judge
from annotation.assignments.services.slots import in_own_order, lock_due_questions, release_slots
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, DataImport
from annotation.items.rules import Ballot, RecordedDecision
from annotation.items.services.applying import in_use, leaving_answers
from annotation.items.services.samples import open_again
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import SKIPPED_BY_CHECK, AnswerGiven, Fate
from annotation.judgments.selectors import improper_among
from annotation.judgments.services.recording import RecordedAnswer, RecordedSheet, insert_recorded
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Protocol, skipping_check_key
from annotation.projects.services.members import add_member
from common.clock import now
from common.database.rows import batched, in_chunks
from common.errors import Conflict, Invalid
from common.events import publish
from common.identifiers import new_public_id

NOT_BY_VOTES = (Decision.Source.PREJUDGED, Decision.Source.REUSED)
MADE_TOGETHER = Q(rule=WITHDRAWN_TOGETHER) | Q(source=Decision.Source.REUSED, is_reopening=False)


class VotesInUse(Conflict):
    """People decided on the strength of the replayed votes."""


def refuse_discarding(*, data_import: DataImport) -> None:
    """Refuse that an import goes whose votes a person decided answers with; raises `VotesInUse`."""
    answers = Assignment.objects.filter(sheet__in=replayed_sheets(data_import)).values("candidate")
    decisions = Decision.objects.filter(candidate__in=answers, decided_by__isnull=False)
    if decisions.exclude(MADE_TOGETHER).exists():
        raise VotesInUse("Somebody has used these votes to decide answers, so you cannot undo this import.")


def discard_replay(*, data_import: DataImport) -> None:
    """Delete the votes of an import with the decisions that rest on them alone.

    Answers on which others voted, too, are settled anew from those votes. The one place where votes are
    deleted: the import's own row stays and says that it was undone, when and by whom. Chunk by chunk, each
    in a transaction of its own; safe to repeat. Raises `VotesInUse` where a person decided one of them.
    """
    refuse_discarding(data_import=data_import)
    sheets = replayed_sheets(data_import)
    question_ids = sorted(set(sheets.values_list("question_id", flat=True)))
    for chunk in in_chunks(question_ids):
        _discard_chunk(data_import, chunk)


@transaction.atomic
def _discard_chunk(data_import: DataImport, question_ids: Sequence[int]) -> None:
    locked = lock_due_questions(question_ids=question_ids, waits=True)
    sheets = replayed_sheets(data_import).filter(question__in=locked)
    candidate_ids = set(Assignment.objects.filter(sheet__in=sheets).values_list("candidate_id", flat=True))
    decisions = Decision.objects.filter(candidate__in=candidate_ids)
    _delete_votes(sheets)
    release_slots(candidate_ids=candidate_ids)
    still_judged = set(
        Assignment.objects.votes().filter(candidate__in=candidate_ids).values_list("candidate_id", flat=True)
    )
    # What a machine or another project decided does not rest on these votes, and its history stays.
    ruled = set(decisions.filter(source__in=NOT_BY_VOTES).values_list("candidate_id", flat=True))
    kept = still_judged | ruled
    forget_decisions(candidate_ids - kept, project=data_import.project, question_ids=locked)
    settle_candidates(project_id=data_import.project_id, candidate_ids=kept)


def replayed_sheets(data_import: DataImport) -> QuerySet[Sheet]:
    """Return the sheets of an import's votes: a replay hands every one out when its import was made."""
    return Sheet.objects.filter(
        project=data_import.project_id,
        rater__user__is_imported=True,
        handed_out_at=data_import.created_at,
    )


def _delete_votes(sheets: QuerySet[Sheet]) -> None:
    ids = list(sheets.order_by("pk").values_list("pk", flat=True))
    JudgmentRevision.objects.filter(judgment__assignment__sheet__in=ids).delete()
    Judgment.objects.filter(assignment__sheet__in=ids).delete()
    Assignment.objects.filter(sheet__in=ids).delete()
    CheckAnswer.objects.filter(sheet__in=ids).delete()
    Sheet.objects.filter(pk__in=ids).delete()


def forget_decisions(candidate_ids: Collection[int], *, project: Project, question_ids: list[int]) -> None:
    """Make answers nobody else judged what they were before: open for raters, without a decision."""
    decisions = Decision.objects.filter(candidate__in=candidate_ids)
    publish(DecisionsDiscarded(decision_ids=list(decisions.values_list("pk", flat=True))))
    decisions.delete()
    Candidate.objects.filter(pk__in=candidate_ids).update(
        state=Candidate.State.UNASKED, wanted=0, least_votes=0
    )
    open_again(candidate_ids=candidate_ids, project=project)
    publish(DecisionsChanged(project_id=project.pk, question_ids=question_ids))


MISSING_IN_SOURCE = "missing from the source"


class UnknownLabel(Invalid):
    """A recorded vote says something the protocol has no label for."""


class ReplayCounts(NamedTuple):
    """What became of the recorded votes: counted by round, kept as surplus, and blanks passed on."""

    first: int
    replacements: int
    tie_breaks: int
    surplus: int
    blanks: int


class _Turn(NamedTuple):
    """One rater at some questions of the file, by candidate and question id.

    asked: answers of the rater's own turn, blank or not. given: what the rater said, blanks left out,
    labels as the protocol calls them. first_round: answers of which the rater is one of the first.
    marked: questions the rater took out of the scores.
    """

    rater: Membership
    asked: frozenset[int]
    given: Mapping[int, Vote]
    first_round: frozenset[int]
    marked: frozenset[int]


class _Replay:
    """Answers whose recorded votes are taken in, rater by rater; the caller holds their questions' locks."""

    def __init__(self, project: Project, candidates: Mapping[int, Candidate]) -> None:
        self.changed: set[int] = set()
        self._candidates = candidates
        self._protocol = _protocol(project)
        self._standings = standings_of(candidates.values(), protocol=self._protocol)
        turns = Assignment.objects.votes().filter(candidate__in=list(candidates))
        self._had = set(turns.values_list("rater_id", "candidate_id"))
        questions = {candidate.question_id for candidate in candidates.values()}
        checked = CheckAnswer.objects.votes().filter(question__in=questions)
        self._checked = set(checked.values_list("rater_id", "question_id", "check_key"))
        # Nobody is handed a question as work while it serves a pilot.
        piloted = PilotQuestion.objects.filter(question__in=questions, pilot__ended_at=None)
        self._piloted = set(piloted.values_list("question_id", flat=True))

    def sheets_of(self, turn: _Turn) -> list[RecordedSheet]:
        """Return the sheets that a rater's turn comes to: what was asked for, then what was not."""
        # Nobody of a file is trained here.
        require_may_judge(rater=turn.rater, is_reading=True)
        asked: dict[int, list[Candidate]] = defaultdict(list)
        for pk in sorted(turn.asked):
            if self._is_asked(turn.rater, self._candidates[pk]):
                asked[self._candidates[pk].question_id].append(self._candidates[pk])
        sheets = []
        for question_id, candidates in asked.items():
            checks = self._checks(turn, question_id)
            for page in batched(in_own_order(turn.rater, candidates), self._protocol.sheet_size):
                answers = [self._answer(turn, candidate) for candidate in page]
                sheets.append(RecordedSheet(turn.rater, question_id, answers, checks))
                # A question on several sheets is asked about with the first.
                checks = {}
        return sheets + self._rest(turn, {candidate.pk for each in asked.values() for candidate in each})

    def _is_asked(self, rater: Membership, candidate: Candidate) -> bool:
        return (
            self._standings[candidate.pk].has_free_slot
            and (rater.pk, candidate.pk) not in self._had
            and rater.group in ("", candidate.group)
            and candidate.question_id not in self._piloted
        )

    def _answer(self, turn: _Turn, candidate: Candidate) -> RecordedAnswer:
        self.changed.add(candidate.pk)
        vote = turn.given.get(candidate.pk)
        check = skipping_check_key(self._protocol) if candidate.question_id in turn.marked else ""
        taken = self._standings[candidate.pk].take(
            label=vote.label if vote else None, protocol=self._protocol, is_marked=bool(check)
        )
        reason = SKIPPED_BY_CHECK + check if check else MISSING_IN_SOURCE
        return RecordedAnswer(
            candidate.pk, taken.slot, taken.round, _said(candidate, vote, reason), taken.fate
        )

    def _checks(self, turn: _Turn, question_id: int) -> dict[str, bool]:
        marking = skipping_check_key(self._protocol)
        return {
            check.key: check.key == marking and question_id in turn.marked
            for check in self._protocol.question_checks
            if (turn.rater.pk, question_id, check.key) not in self._checked
        }

    def _rest(self, turn: _Turn, asked: Collection[int]) -> list[RecordedSheet]:
        """Return as surplus what the rater said of answers that were never handed to them."""
        alike: dict[tuple[int, bool], list[RecordedAnswer]] = defaultdict(list)
        for pk, vote in sorted(turn.given.items()):
            if pk in asked or (turn.rater.pk, pk) in self._had:
                continue
            candidate, is_first = self._candidates[pk], pk in turn.first_round
            round_name = Assignment.Round.FIRST if is_first else Assignment.Round.TIE_BREAK
            # Comments and evidence belong to votes that count.
            given = AnswerGiven(id=candidate.public_id, label=vote.label)
            alike[candidate.question_id, is_first].append(
                RecordedAnswer(pk, 0, round_name.value, given, Fate.SURPLUS)
            )
        return [
            RecordedSheet(turn.rater, question_id, answers, {}, is_asked_for=False)
            for (question_id, _), answers in alike.items()
        ]

    def store_slots(self) -> None:
        """Count the slots that are taken now, and let there be room for them."""
        alike: dict[tuple[int, int], list[int]] = defaultdict(list)
        for pk in self.changed:
            standing = self._standings[pk]
            alike[len(standing.held), standing.wanted].append(pk)
        for (taken, wanted), ids in alike.items():
            Candidate.objects.filter(pk__in=ids).update(taken=taken, wanted=wanted)


def _said(candidate: Candidate, vote: Vote | None, reason: str) -> AnswerGiven:
    if vote is None:
        return AnswerGiven(id=candidate.public_id, label=None, skip_reason=reason)
    return AnswerGiven(
        id=candidate.public_id,
        label=vote.label,
        comment=vote.comment,
        evidence_url=vote.evidence_url,
        evidence_quote=vote.evidence_quote,
    )


def replay_votes(*, project: Project, ballots: Iterable[Ballot], at: datetime | None = None) -> ReplayCounts:
    """Take in what a file's raters said as if they had been handed the answers, rater by rater.

    The first raters of an answer by column, as many as the protocol asks, are its first round; a blank
    of theirs is a skip whose slot passes on. Later columns fill slots that open: passed on, or to break
    a tie; a vote for which none is open is kept as surplus. A question that raters of the file took out
    of the scores is theirs to mark; other checks about questions, which files do not record, are
    answered no. What each vote comes to is foretold (`Standing`), all are inserted, and the answers settled
    once. All of it is one transaction, and repeating the call goes on where it stopped. Ballots
    of one question come together. Raises `UnknownLabel`, `NotHandedOut`.
    """
    ballots = list(ballots)
    at = at or now()
    candidates = Candidate.objects.in_bulk([ballot.candidate_id for ballot in ballots])
    raters = _imported_raters(project=project, groups=_groups(ballots, candidates))
    question_ids = {each.question_id for each in candidates.values()}
    with transaction.atomic():
        lock_due_questions(question_ids=question_ids, waits=True)
        replay = _Replay(project, Candidate.objects.in_bulk(list(candidates)))
        sheets = [
            sheet
            for name, rater in raters.items()
            for sheet in replay.sheets_of(_turn(name, rater, ballots, candidates))
        ]
        if sheets:
            version = require_may_judge(rater=sheets[0].rater, is_reading=True)
            freeze(version, at=at)
            insert_recorded(sheets, version=version, at=at)
        replay.store_slots()
        settle_candidates(project_id=project.pk, candidate_ids=replay.changed)
        _close_improper(question_ids, protocol=_protocol(project))
    return _count(project=project, raters=raters.values())


def _groups(ballots: list[Ballot], candidates: Mapping[int, Candidate]) -> dict[str, str]:
    """Return the file's raters in the order of its columns, with the group each judged, if only one."""
    groups: dict[str, set[str]] = {}
    for ballot in ballots:
        for vote in ballot.votes:
            groups.setdefault(vote.rater, set()).add(candidates[ballot.candidate_id].group)
    marking = dict.fromkeys(name for ballot in ballots for name in ballot.marked_by)
    single = {name: next(iter(names)) if len(names) == 1 else "" for name, names in groups.items()}
    # A rater who only marked questions goes by the group's name, as files know such raters by nothing else.
    known = {candidate.group for candidate in candidates.values()}
    return single | {name: name if name in known else "" for name in marking if name not in single}


def _turn(
    name: str,
    rater: Membership,
    ballots: list[Ballot],
    candidates: Mapping[int, Candidate],
) -> _Turn:
    protocol = _protocol(rater.project)
    mine = [ballot for ballot in ballots if name in ballot.marked_by] if skipping_check_key(protocol) else []
    given = _given(name, ballots, protocol)
    first_round = frozenset(
        ballot.candidate_id
        for ballot in ballots
        if name in [vote.rater for vote in ballot.votes][: protocol.raters_per_answer]
    )
    return _Turn(
        rater=rater,
        asked=first_round | given.keys() | {ballot.candidate_id for ballot in mine},
        given=given,
        first_round=first_round,
        marked=frozenset(candidates[ballot.candidate_id].question_id for ballot in mine),
    )


def _protocol(project: Project) -> Protocol:
    assert project.protocol is not None
    return project.protocol.rules


def _imported_raters(*, project: Project, groups: Mapping[str, str]) -> dict[str, Membership]:
    known = {
        name_of_rater(member.user.name): member
        for member in project.members.filter(user__is_imported=True).select_related("user").order_by("pk")
    }
    raters = {
        name: known.get(name_of_rater(name)) or _new_rater(project=project, name=name, group=group)
        for name, group in groups.items()
    }
    for rater in raters.values():
        # One object for all of them, so that the protocol is read once.
        rater.project = project
    return raters


def _new_rater(*, project: Project, name: str, group: str) -> Membership:
    user = create_imported_rater(name=name, username=f"imported-{new_public_id()}")
    rater = add_member(project=project, user=user, role=Membership.Role.ANNOTATOR)
    rater.group = group
    rater.save(update_fields=["group"])
    return rater


def _given(name: str, rows: list[Ballot], protocol: Protocol) -> dict[int, Vote]:
    return {
        row.candidate_id: vote._replace(label=label_meant(vote.label, protocol=protocol))
        for row in rows
        for vote in row.votes
        if vote.rater == name and vote.label.strip()
    }


def label_meant(word: str, *, protocol: Protocol) -> str:
    """Return the protocol's label that a file's word means; raises `UnknownLabel`."""
    label = label_of_word(word, protocol=protocol)
    if label is None:
        raise UnknownLabel(f"“{word}” matches no label in this project. Use one of the protocol’s labels.")
    return label


def _close_improper(question_ids: set[int], *, protocol: Protocol) -> None:
    """Ask nobody about open answers to questions that the file's raters took out of the scores."""
    improper = improper_among(question_ids, protocol=protocol)
    Candidate.objects.filter(question__in=improper, state=Candidate.State.OPEN).update(
        state=Candidate.State.UNASKED, wanted=F("taken")
    )


def _count(*, project: Project, raters: Iterable[Membership]) -> ReplayCounts:
    assignments = Assignment.objects.votes().filter(candidate__project=project, rater__in=list(raters))
    states = Counter(assignments.order_by("pk").values_list("state", "round"))
    done = Assignment.State.DONE
    return ReplayCounts(
        first=states[done, Assignment.Round.FIRST],
        replacements=states[done, Assignment.Round.REPLACEMENT],
        tie_breaks=states[done, Assignment.Round.TIE_BREAK],
        surplus=sum(states[Assignment.State.SURPLUS, each] for each in Assignment.Round),
        blanks=sum(states[Assignment.State.SKIPPED, each] for each in Assignment.Round),
    )


class DecisionsInUse(Conflict):
    """People went on from what the file had decided."""


@transaction.atomic
def apply_recorded_decisions(*, project: Project, decisions: Iterable[RecordedDecision], at: datetime) -> int:
    """Decide answers as a file says, and return how many; nobody is asked about these.

    An answer that somebody holds, voted on or ever decided stays as it is. `at` is when the import was
    made, by which its decisions are found again. Raises `UnknownLabel`.
    """
    assert project.protocol is not None
    protocol = project.protocol.rules
    labels = {each.candidate_id: label_meant(each.word, protocol=protocol) for each in decisions}
    candidates = Candidate.objects.filter(pk__in=list(labels))
    lock_due_questions(question_ids=set(candidates.values_list("question_id", flat=True)), waits=True)
    # Read under the lock.
    free = [each for each in candidates.filter(decisions=None).order_by("pk") if each.is_untouched]
    # Labels that decisions are made of may change only as a new version.
    freeze(project.protocol, at=at)
    Candidate.objects.filter(pk__in=[each.pk for each in free]).update(
        state=Candidate.State.DECIDED, wanted=0
    )
    made = [_decision(each, labels[each.pk]) for each in free]
    add_decisions(project_id=project.pk, decisions=made, at=at)
    return len(made)


def _decision(candidate: Candidate, label: str) -> Decision:
    return Decision(candidate=candidate, label=label, source=Decision.Source.IMPORTED, rule=RELEASED_LIST)


def recorded_answers(data_import: DataImport) -> QuerySet[Candidate]:
    """Return the answers that an import decided."""
    return Candidate.objects.filter(
        project=data_import.project_id,
        decisions__source=Decision.Source.IMPORTED,
        decisions__rule=RELEASED_LIST,
        decisions__decided_at=data_import.created_at,
    )


def refuse_forgetting(*, data_import: DataImport) -> None:
    """Refuse that an import goes whose decisions people went on from; raises `DecisionsInUse`."""
    by_people = Decision.objects.filter(
        candidate__in=recorded_answers(data_import).values("pk"), decided_by__isnull=False
    )
    if by_people.exclude(rule=WITHDRAWN_TOGETHER).exists():
        raise DecisionsInUse(
            "A person has since decided some of this import’s answers, so you cannot undo the import."
        )


def discard_recorded_decisions(*, data_import: DataImport) -> None:
    """Delete the decisions of an import; answers that stay are open again, as if it had never been.

    Chunk by chunk, each in a transaction of its own; safe to repeat. Raises `DecisionsInUse` where a person
    reopened or decided one of the answers.
    """
    refuse_forgetting(data_import=data_import)
    answers = recorded_answers(data_import)
    question_ids = sorted(set(answers.values_list("question_id", flat=True)))
    for chunk in in_chunks(question_ids):
        with transaction.atomic():
            locked = lock_due_questions(question_ids=chunk, waits=True)
            ids = set(answers.filter(question__in=locked).values_list("pk", flat=True))
            forget_decisions(ids, project=data_import.project, question_ids=locked)


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
