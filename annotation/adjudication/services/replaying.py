"""Replay recorded votes through assignment, submission and decision, as if their raters sat here."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from annotation.accounts.services import create_imported_rater
from annotation.adjudication.rules import label_of_word
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.selectors import open_candidates
from annotation.assignments.services import hand_out
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, Question
from annotation.items.rules import Ballot
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services import record_surplus, submit_sheet
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Protocol
from annotation.projects.services import add_member
from common.clock import now
from common.errors import Invalid
from common.identifiers import new_public_id

MISSING_IN_SOURCE = "missing in source"
ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)


class UnknownLabel(Invalid):
    """A recorded vote says something the protocol has no label for."""

    code = "unknown_label"


class ReplayCounts(NamedTuple):
    """What became of the recorded votes: counted by round, kept as surplus, and blanks passed on."""

    first: int
    replacements: int
    tie_breaks: int
    surplus: int
    blanks: int


class _Turn(NamedTuple):
    """One rater at one question of the file."""

    rater: Membership
    question: Question
    # What the rater said by candidate id, blanks left out, labels as the protocol calls them.
    given: Mapping[int, Vote]
    is_first_round: bool
    at: datetime

    @property
    def protocol(self) -> Protocol:
        """The protocol the votes are handed in under."""
        return _protocol(self.rater.project)


def replay_votes(*, project: Project, ballots: Iterable[Ballot], at: datetime | None = None) -> ReplayCounts:
    """Hand the answers out to the file's raters and take in what they said, question by question.

    The first raters by column, as many as the protocol asks, are the first round; a blank of theirs is
    a skip whose slot passes on. Later columns fill slots that open: passed on, or to break a tie; a
    vote for which none is open is kept as surplus. Each question is a transaction of its own, and
    repeating the call goes on where it stopped. Each ballot names every rater of the file, in the order
    of its columns. Checks about the question, which such files do not record, are answered no. Raises
    `UnknownLabel`.
    """
    ballots = list(ballots)
    names = list(dict.fromkeys(vote.rater for ballot in ballots for vote in ballot.votes))
    raters = _imported_raters(project=project, names=names)
    first_round = names[: _protocol(project).raters_per_answer]
    for question, rows in _by_question(ballots):
        with transaction.atomic():
            for name, rater in raters.items():
                turn = _Turn(
                    rater=rater,
                    question=question,
                    given=_given(name, rows, _protocol(project)),
                    is_first_round=name in first_round,
                    at=at or now(),
                )
                _keep_the_rest(turn, _judge_open_answers(turn))
    return _count(project=project, raters=raters.values())


def _protocol(project: Project) -> Protocol:
    assert project.protocol is not None
    return project.protocol.rules


def _by_question(ballots: list[Ballot]) -> list[tuple[Question, list[Ballot]]]:
    candidates = Candidate.objects.select_related("question").in_bulk(
        [ballot.candidate_id for ballot in ballots]
    )
    questions: dict[int, tuple[Question, list[Ballot]]] = {}
    for ballot in ballots:
        question = candidates[ballot.candidate_id].question
        questions.setdefault(question.pk, (question, []))[1].append(ballot)
    return list(questions.values())


def _imported_raters(*, project: Project, names: Sequence[str]) -> dict[str, Membership]:
    known = {
        member.user.name: member
        for member in project.members.filter(user__is_imported=True).select_related("user").order_by("pk")
    }
    raters = {name: known.get(name) or _new_rater(project=project, name=name) for name in names}
    for rater in raters.values():
        # One object for all of them, so that the protocol is read once.
        rater.project = project
    return raters


def _new_rater(*, project: Project, name: str) -> Membership:
    user = create_imported_rater(name=name, username=f"imported-{new_public_id()}")
    return add_member(project=project, user=user, role=Membership.Role.ANNOTATOR)


def _given(name: str, rows: list[Ballot], protocol: Protocol) -> dict[int, Vote]:
    return {
        row.candidate_id: vote._replace(label=_label(vote.label, protocol))
        for row in rows
        for vote in row.votes
        if vote.rater == name and vote.label.strip()
    }


def _label(word: str, protocol: Protocol) -> str:
    label = label_of_word(word, protocol=protocol)
    if label is None:
        raise UnknownLabel(f"This project has no label that “{word}” could mean.")
    return label


def _judge_open_answers(turn: _Turn) -> set[int]:
    """Hand the question's open answers out until none is left, and return those handed out."""
    handed_out: set[int] = set()
    while True:
        waiting = open_candidates(rater=turn.rater).filter(question=turn.question)
        ids = set(waiting.values_list("pk", flat=True))
        # A first-round rater passes blanks on; a later one takes only sheets they have a vote for.
        if not ids or not (turn.is_first_round or ids & set(turn.given)):
            return handed_out
        for sheet in hand_out(rater=turn.rater, only_question=turn.question, at=turn.at):
            handed_out |= _hand_in(turn, sheet)
        if ids <= handed_out:
            return handed_out


def _hand_in(turn: _Turn, sheet: Sheet) -> set[int]:
    shown = Assignment.objects.filter(sheet=sheet, state__in=ON_A_SHEET).order_by("position", "pk")
    ids = dict(shown.values_list("candidate_id", "candidate__public_id"))
    submit_sheet(
        rater=turn.rater,
        sheet_id=sheet.public_id,
        submission_key=f"replay-{sheet.public_id}",
        answers=[_answer(public_id, turn.given.get(pk)) for pk, public_id in ids.items()],
        checks={check.key: False for check in turn.protocol.question_checks},
        at=turn.at,
    )
    return set(ids)


def _answer(public_id: str, vote: Vote | None) -> AnswerGiven:
    if vote is None:
        return AnswerGiven(id=public_id, label=None, skip_reason=MISSING_IN_SOURCE)
    return AnswerGiven(
        id=public_id,
        label=vote.label,
        comment=vote.comment,
        evidence_url=vote.evidence_url,
        evidence_quote=vote.evidence_quote,
    )


def _keep_the_rest(turn: _Turn, handed_out: set[int]) -> None:
    """Keep as surplus what the rater said of answers that were never handed to them."""
    rest = {pk: vote.label for pk, vote in turn.given.items() if pk not in handed_out}
    if not rest:
        return
    # By an earlier call that was interrupted.
    had = Assignment.objects.filter(rater=turn.rater, candidate__in=list(rest))
    for candidate_id in had.values_list("candidate_id", flat=True):
        del rest[candidate_id]
    if rest:
        record_surplus(
            rater=turn.rater,
            question=turn.question,
            labels=rest,
            round_name=Assignment.Round.FIRST if turn.is_first_round else Assignment.Round.TIE_BREAK,
            at=turn.at,
        )


def _count(*, project: Project, raters: Iterable[Membership]) -> ReplayCounts:
    assignments = Assignment.objects.filter(candidate__project=project, rater__in=list(raters))
    states = Counter(assignments.order_by("pk").values_list("state", "round"))
    done = Assignment.State.DONE
    return ReplayCounts(
        first=states[done, Assignment.Round.FIRST],
        replacements=states[done, Assignment.Round.REPLACEMENT],
        tie_breaks=states[done, Assignment.Round.TIE_BREAK],
        surplus=sum(states[Assignment.State.SURPLUS, each] for each in Assignment.Round),
        blanks=sum(states[Assignment.State.SKIPPED, each] for each in Assignment.Round),
    )
