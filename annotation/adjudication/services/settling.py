"""Votes and programs settle answers, anew where what counts has changed."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet

from annotation.accounts.models import User
from annotation.adjudication.events import DecisionsChanged, VotesWeighed
from annotation.adjudication.models import Decision
from annotation.adjudication.ports import find_routes
from annotation.adjudication.rules import (
    CALLED_BACK,
    GOLD_EQUAL_RULE,
    SENT_BACK,
    WITHDRAWN_TOGETHER,
    Basis,
    Need,
    Route,
    Standing,
    VoteOutcome,
    Weighed,
    decide,
    follow_route,
    wanted_slots,
    weigh,
)
from annotation.adjudication.selectors.dossier import free_for_machines
from annotation.assignments.models import Assignment
from annotation.assignments.rules import is_tie_break, slots_in_order
from annotation.assignments.services.slots import lock_due_questions
from annotation.items.models import Candidate, Question
from annotation.items.selectors import equal_to_gold, gold_entries
from annotation.judgments.models import Judgment
from annotation.judgments.rules import SKIPPED_BY_CHECK
from annotation.judgments.services.recording import set_aside_tie_breaks
from annotation.projects.models import Project
from annotation.projects.rules import GoldEqual, Protocol
from common.clock import now
from common.database.rows import in_chunks
from common.events import publish

BY_RULE = frozenset({Decision.Source.UNANIMOUS, Decision.Source.MAJORITY, Decision.Source.ROUTED})
# Whoever said yes to a check may yet have to judge the answers: nobody else is asked meanwhile.
HELD_BY_CHECK = Q(
    state=Assignment.State.SKIPPED,
    skip_reason__startswith=SKIPPED_BY_CHECK,
    rater__user__is_imported=False,
)
VOTES_CHANGED = "The votes no longer lead to this decision."
# For each answer the slots as they would be numbered, by the numbers they have.
Renumbered = Mapping[int, Mapping[int, int]]


class Votes(NamedTuple):
    """The counted votes on one answer, and how many slots of either sort somebody is at."""

    first: list[str]
    tie_breaks: list[str]
    held_first: int
    held_tie_breaks: int


class Settlement(NamedTuple):
    """An answer, what its votes come to, and the last row of its history."""

    candidate: Candidate
    outcome: VoteOutcome
    wanted: int
    current: Decision | None
    has_needless_tie_breaks: bool
    weighed: Weighed | None


@transaction.atomic
def settle_candidates(*, project_id: int, candidate_ids: Iterable[int], at: datetime | None = None) -> None:
    """Decide by rule what the votes allow, and open the slots that the rest still needs.

    Called inside the transaction of whoever settles what raters did, which holds the question rows. Safe to
    repeat. What a person decided stays, whatever votes come later.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    protocol = project.protocol.rules
    settlements = [
        settlement
        for settlement in _without_needless_votes(
            find_settlements(candidate_ids=candidate_ids, protocol=protocol), protocol=protocol
        )
        if not is_held_by_a_person(settlement)
    ]
    changes = [change for change in map(rule_decision, settlements) if change is not None]
    move_candidates(settlements)
    # As much is looked up where votes differ: a client that keeps the server busy meanwhile, and times
    # that, is to learn as little as can be of which it was.
    looked_up = {settlement.candidate.question_id for settlement in settlements}
    add_decisions(project_id=project_id, decisions=changes, at=at or now(), looked_up=looked_up)
    note_routes(project_id=project_id, settlements=settlements)


def _without_needless_votes(settlements: list[Settlement], *, protocol: Protocol) -> list[Settlement]:
    """Set tie-breaks aside whose answers need none any more, and return what the rest come to."""
    needless = [item.candidate.pk for item in settlements if item.has_needless_tie_breaks]
    if not needless:
        return settlements
    set_aside_tie_breaks(candidate_ids=needless, raters_per_answer=protocol.raters_per_answer)
    return find_settlements(candidate_ids=[item.candidate.pk for item in settlements], protocol=protocol)


def note_routes(*, project_id: int, settlements: Iterable[Settlement]) -> None:
    """Tell who routes answers what the first raters of these say."""
    weighed = [item.weighed for item in settlements if item.weighed is not None]
    if weighed:
        publish(VotesWeighed(project_id=project_id, weighed=weighed))


def find_settlements(
    *,
    candidate_ids: Iterable[int],
    protocol: Protocol,
    renumbered: Renumbered | None = None,
    are_routed: bool = True,
) -> list[Settlement]:
    """Return what the votes on these answers come to, changing nothing.

    `renumbered`: slots as they would be numbered, for a protocol that is not in force. `are_routed`: False
    for what the protocol alone is to decide.
    """
    candidates = list(Candidate.objects.filter(pk__in=sorted(set(candidate_ids))).order_by("pk"))
    votes = _votes_on(candidates, protocol, renumbered or {})
    last = Decision.objects.current().filter(candidate__in=candidates)
    current = {decision.candidate_id: decision for decision in last}
    routes = _routes_of(candidates, current) if are_routed else {}
    return [
        _settlement(
            candidate, votes[candidate.pk], current.get(candidate.pk), protocol, routes.get(candidate.pk)
        )
        for candidate in candidates
    ]


def _routes_of(candidates: list[Candidate], current: Mapping[int, Decision]) -> Mapping[int, Route]:
    project_id = next((each.project_id for each in candidates), 0)
    if not Project.objects.filter(pk=project_id, has_routes=True).exists():
        return {}
    ids = [each.pk for each in candidates if not _is_for_raters_alone(each, current.get(each.pk))]
    return find_routes(project_id=project_id, candidate_ids=ids)


def _is_for_raters_alone(candidate: Candidate, current: Decision | None) -> bool:
    """Whether a person wanted this one answer to have more votes."""
    if current is None or not current.is_reopening or current.rule == WITHDRAWN_TOGETHER:
        return candidate.least_votes > 0
    return current.decided_by_id is not None


def _settlement(
    candidate: Candidate,
    votes: Votes,
    current: Decision | None,
    protocol: Protocol,
    route: Route | None,
) -> Settlement:
    least = candidate.least_votes
    outcome = decide(votes=votes.first, tie_breaks=votes.tie_breaks, protocol=protocol, least_votes=least)
    outcome = follow_route(
        outcome,
        route=route,
        votes=votes.first,
        held=votes.held_first,
        protocol=protocol,
        is_routed=current is not None and current.source == Decision.Source.ROUTED,
    )
    held = votes.held_tie_breaks if outcome.need is Need.TIE_BREAK else votes.held_first
    return Settlement(
        candidate=candidate,
        outcome=outcome,
        wanted=wanted_slots(taken=candidate.taken, votes_missing=outcome.votes_missing, held_for_them=held),
        current=current,
        has_needless_tie_breaks=bool(votes.tie_breaks)
        and decide(votes=votes.first, protocol=protocol, least_votes=least).label is not None,
        weighed=None
        if route is None
        else weigh(candidate.pk, route=route, votes=votes.first, held=votes.held_first, protocol=protocol),
    )


def _votes_on(candidates: list[Candidate], protocol: Protocol, renumbered: Renumbered) -> dict[int, Votes]:
    def breaks_tie(candidate_id: int, slot: int) -> bool:
        slot = renumbered.get(candidate_id, {}).get(slot, slot)
        return is_tie_break(slot=slot, raters_per_answer=protocol.raters_per_answer)

    first: Mapping[int, list[str]] = defaultdict(list)
    tie_breaks: Mapping[int, list[str]] = defaultdict(list)
    held: Counter[tuple[int, bool]] = Counter()
    counted = Judgment.objects.votes().filter(candidate__in=candidates, state=Judgment.State.COUNTED)
    for candidate_id, slot, label in counted.order_by("pk").values_list("candidate_id", "slot", "label"):
        (tie_breaks if breaks_tie(candidate_id, slot) else first)[candidate_id].append(label)
    held_by = Q(state=Assignment.State.LIVE)
    if protocol.skipping_keys:
        held_by |= HELD_BY_CHECK
    live = Assignment.objects.votes().filter(held_by, candidate__in=candidates)
    for candidate_id, slot in live.order_by("pk").values_list("candidate_id", "slot"):
        held[candidate_id, breaks_tie(candidate_id, slot)] += 1
    return {
        candidate.pk: Votes(
            first=first[candidate.pk],
            tie_breaks=tie_breaks[candidate.pk],
            held_first=held[candidate.pk, False],
            held_tie_breaks=held[candidate.pk, True],
        )
        for candidate in candidates
    }


def standings_of(candidates: Iterable[Candidate], *, protocol: Protocol) -> dict[int, Standing]:
    """Return how answers stand before recorded votes on them are taken in, by id."""
    candidates = list(candidates)
    votes = _votes_on(candidates, protocol, {})
    held: dict[int, set[int]] = defaultdict(set)
    turns: Counter[int] = Counter()
    made = Assignment.objects.votes().filter(candidate__in=candidates).exclude(state=Assignment.State.EXPIRED)
    for candidate_id, slot, state in made.order_by("pk").values_list("candidate_id", "slot", "state"):
        turns[candidate_id] += slot > 0
        if state in HOLDING:
            held[candidate_id].add(slot)
    return {
        candidate.pk: Standing(
            is_open=candidate.state == Candidate.State.OPEN,
            wanted=candidate.wanted,
            least_votes=candidate.least_votes,
            held=held[candidate.pk],
            turns=turns[candidate.pk],
            first=votes[candidate.pk].first,
            tie_breaks=votes[candidate.pk].tie_breaks,
            live_first=votes[candidate.pk].held_first,
            live_ties=votes[candidate.pk].held_tie_breaks,
        )
        for candidate in candidates
    }


def is_held_by_a_person(settlement: Settlement) -> bool:
    """Whether votes change nothing: not a rule decided, or nobody is asked."""
    current = settlement.current
    if current is None:
        # Nobody is asked about this answer; votes of earlier work alone may still decide it.
        return settlement.candidate.state == Candidate.State.UNASKED and settlement.outcome.label is None
    if current.is_reopening:
        if current.rule in (SENT_BACK, CALLED_BACK):
            return False
        return current.decided_by_id is not None and settlement.candidate.state == Candidate.State.DISPUTED
    return current.source not in BY_RULE


def rule_decision(settlement: Settlement, *, why: str = VOTES_CHANGED) -> Decision | None:
    """Return the row that the history gains, or None where the votes change nothing.

    `why`: the reason given where a decision is withdrawn.
    """
    current = settlement.current
    decided = current if current is not None and not current.is_reopening else None
    if settlement.outcome.label is None:
        return None if decided is None else _withdrawal(settlement, decided, why)
    route = settlement.weighed.route if settlement.weighed is not None else None
    if settlement.outcome.basis is not Basis.ROUTED:
        route = None
    made = Decision(
        candidate=settlement.candidate,
        label=settlement.outcome.label,
        source=str(settlement.outcome.basis),
        rule=f"routing {route.number}" if route else str(settlement.outcome.basis),
        reason=route.reason if route else "",
    )
    same = decided is not None and (decided.label, decided.source) == (made.label, made.source)
    return None if same else made


def _withdrawal(settlement: Settlement, decided: Decision, why: str) -> Decision:
    return Decision(
        candidate=settlement.candidate,
        is_reopening=True,
        source=decided.source,
        rule=decided.rule,
        reason=why,
    )


def move_candidates(settlements: list[Settlement]) -> None:
    """Give answers the state and the slots that their votes come to."""
    moves: dict[tuple[str, int], list[Candidate]] = defaultdict(list)
    for settlement in settlements:
        candidate = settlement.candidate
        before = (candidate.state, candidate.wanted)
        candidate.state, candidate.wanted = _state_after(settlement.outcome), settlement.wanted
        if (candidate.state, candidate.wanted) != before:
            moves[candidate.state, candidate.wanted].append(candidate)
    for (state, wanted), candidates in moves.items():
        Candidate.objects.filter(pk__in=[candidate.pk for candidate in candidates]).update(
            state=state, wanted=wanted
        )


def _state_after(outcome: VoteOutcome) -> str:
    if outcome.label is not None:
        return Candidate.State.DECIDED
    return Candidate.State.DISPUTED if outcome.need is Need.LEAD else Candidate.State.OPEN


def add_decisions(
    *, project_id: int, decisions: list[Decision], at: datetime, looked_up: Collection[int] = ()
) -> None:
    """Add rows to the histories, number them, make them the current ones, and tell the gold ledger.

    The caller holds the locks of the questions. looked_up: questions told of although nothing changed.
    """
    if decisions:
        _add(decisions, at=at)
    question_ids = {decision.candidate.question_id for decision in decisions}.union(looked_up)
    if question_ids:
        publish(DecisionsChanged(project_id=project_id, question_ids=sorted(question_ids)))


def _add(decisions: list[Decision], *, at: datetime) -> None:
    numbers = Decision.objects.last_numbers([decision.candidate for decision in decisions])
    if numbers:
        Decision.objects.current().filter(candidate__in=list(numbers)).update(is_current=False)
    for decision in decisions:
        decision.number = numbers.get(decision.candidate_id, 0) + 1
        decision.decided_at = at
    Decision.objects.bulk_create(decisions)


HOLDING = (Assignment.State.LIVE, Assignment.State.DONE)
# Larger than any number of slots: numbers pass through it so that two are never equal on the way.
APART = 1_000


def resettle_project(*, project_id: int, why: str = "", at: datetime | None = None) -> None:
    """Read every vote by the protocol and the route in force: answers are decided, opened or closed by them.

    No vote is lost or set aside: one that is not looked at now counts again under a protocol that asks
    for more. What a person, a machine or a file decided stays. Chunk by chunk, each in a transaction of
    its own; safe to repeat. `why`: the reason given where a decision is withdrawn; empty: the protocol.
    """
    project = Project.objects.get(pk=project_id)
    for candidate_ids in in_chunks(affected_answers(project)):
        _resettle(project_id, candidate_ids, why=why, at=at or now())


@transaction.atomic
def _resettle(project_id: int, candidate_ids: Sequence[int], *, why: str, at: datetime) -> None:
    questions = Candidate.objects.filter(pk__in=candidate_ids).values_list("question_id", flat=True)
    lock_due_questions(question_ids=set(questions), waits=True)
    # Read under the locks: whoever changes the protocol again finds these answers as it says.
    protocol = Project.objects.select_related("protocol").get(pk=project_id).protocol
    assert protocol is not None
    _renumber(renumbered(candidate_ids))
    settlements = [
        settlement
        for settlement in find_settlements(candidate_ids=candidate_ids, protocol=protocol.rules)
        if not is_held_by_a_person(settlement)
    ]
    why = why or f"The protocol was changed to version {protocol.number}."
    changes = [rule_decision(settlement, why=why) for settlement in settlements]
    move_candidates(settlements)
    made = [change for change in changes if change is not None]
    add_decisions(project_id=project_id, decisions=made, at=at)
    note_routes(project_id=project_id, settlements=settlements)


def affected_answers(project: Project) -> list[int]:
    """Return the ids of answers that people judge, question by question.

    Those outside the sample keep what their votes came to when it was drawn.
    """
    asked = Candidate.objects.filter(project=project, question__in_sample=True, is_judgeable=True)
    asked = asked.exclude(state=Candidate.State.UNASKED).order_by("question_id", "pk")
    return list(asked.values_list("pk", flat=True))


def renumbered(candidate_ids: Sequence[int]) -> Renumbered:
    """Return the slots that would be numbered otherwise, by answer."""
    held: dict[int, list[tuple[int, bool]]] = {}
    holders = Assignment.objects.votes().filter(candidate__in=candidate_ids, state__in=HOLDING).order_by("pk")
    for candidate_id, slot, state in holders.values_list("candidate_id", "slot", "state"):
        held.setdefault(candidate_id, []).append((slot, state == Assignment.State.DONE))
    orders = {candidate_id: slots_in_order(held=slots) for candidate_id, slots in held.items()}
    return {pk: order for pk, order in orders.items() if any(old != new for old, new in order.items())}


def _renumber(renumbered: Renumbered) -> None:
    for candidate_id, order in renumbered.items():
        moving = {old: new for old, new in order.items() if old != new}
        counted = Judgment.objects.votes().filter(candidate=candidate_id, state=Judgment.State.COUNTED)
        holders = Assignment.objects.votes().filter(candidate=candidate_id, state__in=HOLDING)
        for old, new in moving.items():
            counted.filter(slot=old).update(slot=APART + new)
            holders.filter(slot=old).update(slot=APART + new)
        counted.filter(slot__gt=APART).update(slot=F("slot") - APART)
        holders.filter(slot__gt=APART).update(slot=F("slot") - APART)


class Ruling(NamedTuple):
    """A decision of one group: the label, the rule's short name, and the rule in words."""

    label: str
    rule: str
    reason: str


@transaction.atomic
def decide_together(
    *,
    project_id: int,
    rulings: Mapping[int, Ruling],
    source: str = Decision.Source.PREJUDGED,
    by: User | None = None,
    at: datetime | None = None,
) -> dict[int, Decision]:
    """Decide a group of answers, and return the decisions made, both by candidate id.

    An answer that was decided, voted on or handed out meanwhile is left to people. The caller holds the
    locks of the questions.
    """
    free = list(free_for_machines(project_id=project_id).filter(pk__in=list(rulings)).order_by("pk"))
    decisions = [
        Decision(
            candidate=candidate,
            source=source,
            decided_by=by,
            **rulings[candidate.pk]._asdict(),
        )
        for candidate in free
    ]
    Candidate.objects.filter(pk__in=[candidate.pk for candidate in free]).update(
        state=Candidate.State.DECIDED, wanted=0
    )
    add_decisions(project_id=project_id, decisions=decisions, at=at or now())
    return {decision.candidate_id: decision for decision in decisions}


@transaction.atomic
def withdraw_together(
    *,
    project: Project,
    decision_ids: Iterable[int],
    source: str = Decision.Source.PREJUDGED,
    by: User | None,
    reason: str,
    at: datetime | None = None,
) -> int:
    """Give answers back to raters by a further row each, and return how many.

    What a person has decided anew stays. The caller holds the locks of the questions.
    """
    assert project.protocol is not None
    decisions = list(
        Decision.objects.in_force()
        .filter(
            pk__in=list(decision_ids),
            candidate__project=project,
            source=source,
        )
        .select_related("candidate")
        .order_by("pk")
    )
    move_candidates(
        find_settlements(
            candidate_ids=[decision.candidate_id for decision in decisions], protocol=project.protocol.rules
        )
    )
    withdrawals = [_withdrawal_of_machine(decision, by=by, reason=reason) for decision in decisions]
    add_decisions(project_id=project.pk, decisions=withdrawals, at=at or now())
    return len(withdrawals)


def _withdrawal_of_machine(decision: Decision, *, by: User | None, reason: str) -> Decision:
    return Decision(
        candidate=decision.candidate,
        is_reopening=True,
        source=decision.source,
        rule=WITHDRAWN_TOGETHER,
        reason=reason,
        decided_by=by,
    )


REASON = "The answer equals a gold answer, and the protocol counts such answers as correct."
WITHDRAWN = (
    "Under the current protocol and gold answers, this answer no longer counts as correct without being "
    "judged."
)
MADE_BY_THE_RULE = Q(rule=GOLD_EQUAL_RULE) | Q(rule=WITHDRAWN_TOGETHER, reason=WITHDRAWN)


def settle_gold_equal(*, project_id: int) -> None:
    """Settle all answers that equal a gold answer, or give them back to raters; all of them as a group.

    Equal after SQuAD's normalization to a gold answer of the files. What a person has to do with is left
    to people. Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    protocol = project.protocol.rules
    settles = protocol.gold_equal is GoldEqual.CORRECT
    standing = list(_settled(project).select_related("candidate"))
    stale = standing
    if settles and standing:
        equal = set(_equal_to_gold([decision.candidate for decision in standing]))
        stale = [decision for decision in standing if decision.candidate_id not in equal]
    for chunk in in_chunks(stale):
        _withdraw(project, chunk)
    if settles:
        label = next(label.key for label in protocol.labels if label.key in protocol.accepted_keys)
        for answers in in_chunks(_free(project)):
            _settle(project, answers, Ruling(label=label, rule=GOLD_EQUAL_RULE, reason=REASON))


@transaction.atomic
def _withdraw(project: Project, stale: Sequence[Decision]) -> None:
    lock_due_questions(question_ids={each.candidate.question_id for each in stale}, waits=True)
    ids = [decision.pk for decision in stale]
    withdraw_together(project=project, decision_ids=ids, by=None, reason=WITHDRAWN)


def discard_gold_equal(*, data_import_id: int) -> None:
    """Take the protocol's decisions on an import's answers out with it, where nobody had a part in them.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    rows = Decision.objects.filter(candidate__data_import=data_import_id, candidate__assignments=None)
    others = rows.exclude(MADE_BY_THE_RULE).values("candidate")
    ours = rows.filter(MADE_BY_THE_RULE).exclude(candidate__in=others)
    answers = sorted(set(ours.values_list("candidate", flat=True)))
    project = Project.objects.select_related("protocol").get(imports=data_import_id)
    for chunk in in_chunks(answers):
        with transaction.atomic():
            Decision.objects.filter(candidate__in=chunk).delete()
            # Those that another import takes over are settled anew when this one is out.
            Candidate.objects.filter(pk__in=chunk).update(state=Candidate.State.UNASKED, wanted=0)
            left = Candidate.objects.filter(pk__in=chunk, question__in_sample=True, is_judgeable=True)
            if project.protocol is not None:
                left.update(state=Candidate.State.OPEN, wanted=project.raters_at_first)


def count_gold_equal(*, project: Project) -> tuple[int, int]:
    """Return how many open answers equal a gold answer, and how many count as correct because they do."""
    equal = sum(len(_equal_to_gold(chunk)) for chunk in in_chunks(_free(project)))
    return equal, _settled(project).count()


def _settled(project: Project) -> QuerySet[Decision]:
    ours = Decision.objects.in_force().filter(candidate__project=project, rule=GOLD_EQUAL_RULE)
    return ours.order_by("pk")


def _free(project: Project) -> list[Candidate]:
    free = free_for_machines(project_id=project.pk).filter(question__in_sample=True)
    return list(free.order_by("question", "pk"))


def _settle(project: Project, answers: Sequence[Candidate], ruling: Ruling) -> None:
    equal = _equal_to_gold(answers)
    questions = {each.question_id for each in answers if each.pk in equal}
    if questions:
        with transaction.atomic():
            lock_due_questions(question_ids=questions, waits=True)
            decide_together(project_id=project.pk, rulings=dict.fromkeys(equal, ruling))


def _equal_to_gold(answers: Sequence[Candidate]) -> list[int]:
    asked = {answer.question_id for answer in answers}
    golds = gold_entries(questions=Question.objects.filter(pk__in=asked))
    rows = ((answer.pk, answer.question_id, answer.text) for answer in answers)
    return list(equal_to_gold(rows, golds=golds))
