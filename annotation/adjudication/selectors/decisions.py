"""What was decided, for later steps."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from analysis.text import name_of_rater
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, decide_columns, label_of_word
from annotation.assignments.blind_view import HowDecided
from annotation.assignments.models import Assignment
from annotation.items.formats.records import VoteRecord
from annotation.items.models import Candidate
from annotation.items.rules import Ballot, GivenBefore, GivenVote, LabelConflict
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.projects.models import Project
from annotation.projects.rules import Protocol, skipping_check_key


def judged_questions(*, project: Project) -> frozenset[int]:
    """Return the questions on which a vote or a decision by people stands.

    A judgment that says "cannot judge" counts: somebody was asked. What verdicts or equality
    with gold settled does not, nor do pilots, training and repeats.
    """
    voted = Judgment.objects.votes().filter(candidate__project=project)
    voted = voted.exclude(state=Judgment.State.WITHDRAWN)
    decided = Decision.objects.in_force().filter(candidate__project=project)
    # What one rater and a judge settled stays: a person voted on it.
    decided = decided.exclude(source=Decision.Source.PREJUDGED).exclude(rule=GOLD_EQUAL_RULE)
    return frozenset(
        (
            *voted.order_by().values_list("candidate__question", flat=True).distinct(),
            *decided.order_by().values_list("candidate__question", flat=True).distinct(),
        )
    )


UNDECIDED = (Candidate.State.OPEN, Candidate.State.DISPUTED)


def how_people_decided(*, judged_at: Mapping[int, datetime]) -> dict[int, HowDecided]:
    """Return by answer what a person decided after it was judged, once the first raters judged its question.

    Where one rater may be enough, that one: waiting for a second would tell that the first was not.
    `judged_at`: when the rater who asks judged each answer. Whether they agree has no part in it: who
    edits another answer of the question would read from a decision that comes and goes how others judged it.
    """
    first = Judgment.objects.votes().filter(
        candidate=OuterRef("pk"), state=Judgment.State.COUNTED, slot__lte=_first_raters(judged_at)
    )
    count = first.order_by().values("candidate").annotate(n=Count("pk")).values("n")
    waiting = Candidate.objects.filter(state__in=UNDECIDED, is_judgeable=True).annotate(
        votes=Coalesce(Subquery(count), 0)
    )
    waiting = waiting.filter(votes__lt=_first_raters(judged_at))
    decisions = Decision.objects.in_force().filter(
        candidate__in=list(judged_at), source=Decision.Source.ADJUDICATED
    )
    decisions = decisions.exclude(
        candidate__question__in=waiting.filter(question__candidates__in=list(judged_at)).values("question")
    )
    return {
        decision.candidate_id: HowDecided(
            label=decision.label, words=decision.reason if decision.is_reason_shown else ""
        )
        for decision in decisions.order_by("pk")
        if decision.decided_at >= judged_at[decision.candidate_id]
    }


def _first_raters(candidate_ids: Iterable[int]) -> int:
    """Return how many raters an answer has whatever these say: one where that one may be enough."""
    project = Project.objects.select_related("protocol").filter(candidates__in=list(candidate_ids)).first()
    if project is None or project.protocol is None:
        return 0
    return 1 if project.has_routes else project.protocol.rules.raters_per_answer


def find_label_conflicts(*, project: Project, records: Sequence[VoteRecord]) -> list[LabelConflict]:
    """Return the rows whose own label gives another credit than their votes, once replayed.

    Rows without a label of their own are left out, and those with a vote the protocol has no label for.
    """
    if project.protocol is None:
        return []
    protocol = project.protocol.rules
    found = (_conflict(record, protocol) for record in records if record.final)
    return [conflict for conflict in found if conflict is not None]


def do_votes_settle(*, project: Project, columns: Sequence[Sequence[str]]) -> list[bool]:
    """Say of each answer whether its votes in a file, rater by rater, come to a decision once replayed.

    A word that the protocol has no label for is no vote here; the import refuses it.
    """
    if project.protocol is None:
        return [False] * len(columns)
    protocol = project.protocol.rules
    return [
        decide_columns(
            columns=[label_of_word(word, protocol=protocol) or "" for word in words], protocol=protocol
        ).label
        is not None
        for words in columns
    ]


def find_unknown_labels(*, project: Project, words: Sequence[str]) -> list[str]:
    """Return which of these words of a file mean no label; none of a project that has no protocol yet."""
    if project.protocol is None:
        return []
    protocol = project.protocol.rules
    return [word for word in words if label_of_word(word, protocol=protocol) is None]


def find_given_before(*, project: Project, ballots: Sequence[Ballot]) -> GivenBefore:
    """Return what is not taken in of a file, as its raters have judged these answers in earlier imports."""
    if project.protocol is None or not ballots:
        return GivenBefore([], [])
    protocol = project.protocol.rules
    answers = [ballot.candidate_id for ballot in ballots]
    imported = {"rater__project": project, "rater__user__is_imported": True}
    rows = Assignment.objects.votes().filter(**imported, candidate__in=answers)
    given = {
        (candidate_id, name_of_rater(name)): label or ""
        for candidate_id, name, label in rows.order_by("pk").values_list(
            "candidate_id", "rater__user__name", "judgment__label"
        )
    }
    votes = [
        GivenVote(
            ballot.candidate_id,
            vote,
            _name(label, protocol),
            label_of_word(vote.label, protocol=protocol) == label,
        )
        for ballot in ballots
        for vote in ballot.votes
        if vote.label and (label := given.get((ballot.candidate_id, name_of_rater(vote.rater)))) is not None
    ]
    checked = CheckAnswer.objects.votes().filter(
        **imported, question__candidates__in=answers, check_key=skipping_check_key(protocol)
    )
    unmarked = set(checked.filter(answer=False).values_list("question__candidates", "rater__user__name"))
    marks = [(ballot.candidate_id, name) for ballot in ballots for name in ballot.marked_by]
    return GivenBefore(votes, [mark for mark in marks if mark in unmarked])


def _conflict(record: VoteRecord, protocol: Protocol) -> LabelConflict | None:
    columns = [label_of_word(vote.label, protocol=protocol) if vote.label else "" for vote in record.votes]
    known = [label for label in columns if label is not None]
    if len(known) < len(columns):
        return None
    label = decide_columns(columns=known, protocol=protocol).label
    said = label_of_word(record.final, protocol=protocol)
    if said and label and protocol.credit(said) is protocol.credit(label):
        return None
    says = _name(said, protocol) or record.final
    return LabelConflict(line=record.line, said=says, found=_name(label, protocol))


def _name(key: str | None, protocol: Protocol) -> str:
    label = protocol.label(key) if key else None
    return label.name if label else ""
