"""Replay recorded votes through assignment, submission and decision, as if their raters sat here."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from annotation.accounts.services import create_imported_rater
from annotation.adjudication.rules import label_of_word
from annotation.assignments.models import Assignment
from annotation.assignments.selectors import open_candidates
from annotation.assignments.services import hand_out_recorded, lock_due_questions
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, Question
from annotation.items.rules import Ballot
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.selectors import improper_among
from annotation.judgments.services import record_surplus, submit_recorded
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Protocol, skipping_check_key
from annotation.projects.services import add_member
from common.clock import now
from common.errors import Invalid
from common.identifiers import new_public_id

MISSING_IN_SOURCE = "missing in source"


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
    at: datetime


def replay_votes(*, project: Project, ballots: Iterable[Ballot], at: datetime | None = None) -> ReplayCounts:
    """Hand the answers out to the file's raters and take in what they said, rater by rater.

    The first raters of an answer by column, as many as the protocol asks, are its first round; a blank
    of theirs is a skip whose slot passes on. Later columns fill slots that open: passed on, or to break
    a tie; a vote for which none is open is kept as surplus. A question that raters of the file took out
    of the scores is theirs to mark; other checks about questions, which files do not record, are
    answered no. All of it is one transaction, and repeating the call goes on where it stopped. Ballots
    of one question come together. Raises `UnknownLabel`.
    """
    ballots = list(ballots)
    candidates = Candidate.objects.in_bulk([ballot.candidate_id for ballot in ballots])
    raters = _imported_raters(project=project, groups=_groups(ballots, candidates))
    with transaction.atomic():
        lock_due_questions(question_ids={each.question_id for each in candidates.values()}, waits=True)
        for name, rater in raters.items():
            turn = _turn(name, rater, ballots, candidates, at=at or now())
            _keep_the_rest(turn, _judge_open_answers(turn), candidates)
        _close_improper({each.question_id for each in candidates.values()}, protocol=_protocol(project))
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
    *,
    at: datetime,
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
        at=at,
    )


def _protocol(project: Project) -> Protocol:
    assert project.protocol is not None
    return project.protocol.rules


def _imported_raters(*, project: Project, groups: Mapping[str, str]) -> dict[str, Membership]:
    known = {
        member.user.name: member
        for member in project.members.filter(user__is_imported=True).select_related("user").order_by("pk")
    }
    raters = {
        name: known.get(name) or _new_rater(project=project, name=name, group=group)
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
        raise UnknownLabel(f"This project has no label that “{word}” could mean.")
    return label


def _judge_open_answers(turn: _Turn) -> set[int]:
    """Hand the turn's open answers out until none is left, and return those handed out."""
    handed_out: set[int] = set()
    while True:
        waiting = open_candidates(rater=turn.rater).filter(pk__in=turn.asked - handed_out)
        assignments = hand_out_recorded(rater=turn.rater, candidates=waiting.order_by("pk"), at=turn.at)
        if not assignments:
            return handed_out
        submit_recorded(
            rater=turn.rater,
            assignments=assignments,
            given={
                each.candidate_id: _answer(each.candidate.public_id, turn.given.get(each.candidate_id))
                for each in assignments
            },
            marked=turn.marked,
            at=turn.at,
        )
        handed_out |= {each.candidate_id for each in assignments}


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


def _keep_the_rest(turn: _Turn, handed_out: set[int], candidates: Mapping[int, Candidate]) -> None:
    """Keep as surplus what the rater said of answers that were never handed to them."""
    rest = {pk: vote.label for pk, vote in turn.given.items() if pk not in handed_out}
    # By an earlier call that was interrupted.
    had = Assignment.objects.votes().filter(rater=turn.rater, candidate__in=list(rest))
    for candidate_id in had.values_list("candidate_id", flat=True):
        del rest[candidate_id]
    alike: dict[tuple[int, bool], dict[int, str]] = {}
    for pk, label in rest.items():
        alike.setdefault((candidates[pk].question_id, pk in turn.first_round), {})[pk] = label
    questions = Question.objects.in_bulk({question for question, _ in alike})
    for (question, is_first), labels in alike.items():
        record_surplus(
            rater=turn.rater,
            question=questions[question],
            labels=labels,
            round_name=Assignment.Round.FIRST if is_first else Assignment.Round.TIE_BREAK,
            at=turn.at,
        )


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
