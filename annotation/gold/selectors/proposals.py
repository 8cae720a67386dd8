"""Read what may join a project's gold list, made of what is on it and what people accepted."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.gold.models import DismissedProposal, GoldChange
from annotation.gold.rules.ledger import AMEND_RULE
from annotation.gold.rules.proposals import Proposal, propose
from annotation.gold.selectors.ledger import gold_lists, gold_patterns
from annotation.items.models import Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept


class QuestionProposals(NamedTuple):
    """What may join a question's list, as it is now; decisions: by which people accepted a source."""

    question_id: int
    proposals: tuple[Proposal, ...]
    decisions: Mapping[str, int]


def count_dismissed(*, project: Project) -> int:
    """Return how many proposals leads have dismissed, of those that may be made no more, too."""
    return DismissedProposal.objects.filter(question__project=project).count()


@kept()
def read_proposals(project: Project) -> tuple[QuestionProposals, ...]:
    """Return what is proposed of each question of which people accepted an answer, in project order.

    What a lead dismissed is left out.
    """
    return find_proposals(project=project, question_ids=_questions_with_accepted(project))


def find_proposals(*, project: Project, question_ids: Iterable[int]) -> tuple[QuestionProposals, ...]:
    """Return what is proposed of these questions, in project order; those without proposals are left out."""
    questions = Question.objects.filter(project=project, pk__in=list(question_ids)).order_by("position", "pk")
    texts = dict(questions.values_list("pk", "text"))
    lists = gold_lists(project, amended=True, question_ids=list(texts))
    patterns = gold_patterns(project, amended=True, question_ids=list(texts))
    dismissed = _dismissed(texts)
    decisions = _accepting_decisions(project, texts)
    by_programs, removed = _added_by_programs(texts), _removed(texts)
    found = []
    for question_id, text in texts.items():
        own = patterns.get(question_id, set())
        proposals = propose(
            question=text,
            gold=[each for each in lists[question_id] if each not in own | by_programs[question_id]],
            patterns=own,
        )
        left = tuple(
            each
            for each in proposals
            if (question_id, each.hash) not in dismissed and each.text not in removed[question_id]
        )
        if left:
            found.append(QuestionProposals(question_id, left, decisions[question_id]))
    return tuple(found)


def count_proposals(*, project: Project, question_ids: Collection[int]) -> Mapping[int, int]:
    """Return how many answers are proposed of these questions; those of which none is lack."""
    accepted = _questions_with_accepted(project, among=question_ids)
    found = find_proposals(project=project, question_ids=accepted)
    return {each.question_id: len(each.proposals) for each in found}


def _questions_with_accepted(project: Project, *, among: Collection[int] | None = None) -> list[int]:
    rows = _accepting(project).order_by("candidate__question_id")
    if among is not None:
        rows = rows.filter(candidate__question__in=among)
    return list(rows.values_list("candidate__question_id", flat=True).distinct())


def _accepting(project: Project) -> QuerySet[Decision]:
    accepted = project.protocol.rules.accepted_keys if project.protocol else frozenset()
    # With one rater and a judge who agree, too: a person accepted it.
    by_people = Decision.objects.in_force().exclude(source=Decision.Source.PREJUDGED)
    return by_people.filter(candidate__project=project, label__in=accepted)


def _accepting_decisions(project: Project, question_ids: Iterable[int]) -> Mapping[int, dict[str, int]]:
    decisions: dict[int, dict[str, int]] = defaultdict(dict)
    rows = _accepting(project).filter(candidate__question__in=list(question_ids)).order_by("-pk")
    for question_id, text, pk in rows.values_list("candidate__question_id", "candidate__text", "pk"):
        decisions[question_id][text] = pk
    return decisions


def _added_by_programs(question_ids: Iterable[int]) -> Mapping[int, set[str]]:
    """Return what joined lists because a program alone accepted it: nothing is made of that."""
    added: dict[int, set[str]] = defaultdict(set)
    rows = GoldChange.objects.filter(
        question__in=list(question_ids),
        undone_at=None,
        rule=AMEND_RULE,
        decision__source=Decision.Source.PREJUDGED,
    )
    for question_id, text in rows.values_list("question_id", "text"):
        added[question_id].add(text)
    return added


def _removed(question_ids: Iterable[int]) -> Mapping[int, set[str]]:
    """Return what was taken off lists: removals go last, so adding it would change nothing."""
    removed: dict[int, set[str]] = defaultdict(set)
    rows = GoldChange.objects.filter(
        question__in=list(question_ids), undone_at=None, action=GoldChange.Action.REMOVED
    )
    for question_id, text in rows.values_list("question_id", "text"):
        removed[question_id].add(text)
    return removed


def _dismissed(question_ids: Iterable[int]) -> set[tuple[int, str]]:
    rows = DismissedProposal.objects.filter(question__in=list(question_ids))
    return set(rows.values_list("question_id", "proposal_hash"))


def proposal_id(question_public_id: str, proposal: Proposal) -> str:
    """Return the name by which pages speak of a proposal: the question's id and the hash's beginning."""
    return f"{question_public_id}-{proposal.hash[:HASH_LENGTH]}"


HASH_LENGTH = 16
