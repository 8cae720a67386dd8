"""Let proposals join the gold list, put them aside, and take those accepted together back together."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.gold.models import DismissedProposal, GoldChange
from annotation.gold.rules.proposals import PROPOSAL_RULE, Proposal
from annotation.gold.selectors.proposals import find_proposals, proposal_id
from annotation.gold.services.ledger import ReasonMissing, hash_text
from annotation.items.models import Question
from annotation.projects.models import Project
from common.clock import now
from common.database.rows import in_chunks
from common.errors import Conflict, NotFound
from common.identifiers import new_public_id

# Chosen one by one; all that are safe may be more.
MOST_AT_ONCE = 1_000


class ProposalGone(Conflict):
    """The list or what people decided has changed since the proposals were shown."""

    code = "gold_proposal_gone"


class GroupNotFound(NotFound):
    """The project's ledger has nothing in force of this group."""

    code = "gold_group_not_found"


class _Chosen(NamedTuple):
    """A proposal to a question; decision_id: by which people accepted its source, if they did."""

    question_id: int
    proposal: Proposal
    decision_id: int | None


class Accepted(NamedTuple):
    """What was accepted in one act: the group's name, and how many changes the ledger has of it."""

    group: str
    changes: int


def accept_proposals(
    *,
    project: Project,
    ids: Sequence[str],
    by: User,
    reason: str = "",
    at: datetime | None = None,
    skips_gone: bool = False,
) -> Accepted:
    """Write proposals into the ledger as one group; the list has them from now on.

    ids: as `proposal_id` gives them. They are written in shares, each in a transaction of its own. Raises
    `ProposalGone` where one of a share is proposed no more: then nothing of that share is written; with
    `skips_gone` it is left out.
    """
    group, at = new_public_id(), at or now()
    count = 0
    for share in in_chunks(list(dict.fromkeys(ids))):
        with transaction.atomic():
            chosen = _lock_and_find(project, share, skips_gone=skips_gone)
            rows = [_row(each, by=by, reason=reason.strip(), at=at, group=group) for each in chosen]
            GoldChange.objects.bulk_create(rows)
        count += len(rows)
    return Accepted(group, count)


def _row(chosen: _Chosen, *, by: User, reason: str, at: datetime, group: str) -> GoldChange:
    proposal = chosen.proposal
    return GoldChange(
        question_id=chosen.question_id,
        action=GoldChange.Action.ADDED,
        text=proposal.text,
        kind=GoldChange.Kind.REGEX if proposal.kind.is_pattern else GoldChange.Kind.STRING,
        text_hash=hash_text(proposal.text),
        rule=PROPOSAL_RULE,
        reason=reason or describe(proposal),
        decision_id=chosen.decision_id,
        changed_by=by,
        changed_at=at,
        group=group,
    )


def describe(proposal: Proposal) -> str:
    """Say in words what a proposal is made of, as the ledger keeps it."""
    if proposal.kind.is_pattern:
        return f"Variants of “{proposal.examples[0]}” ({proposal.kind.value})."
    return f"Contained in “{proposal.source}” as the short answer."


@transaction.atomic
def dismiss_proposals(*, project: Project, ids: Sequence[str], by: User, at: datetime | None = None) -> int:
    """Put proposals aside, so that they are not proposed again; return how many.

    Raises `ProposalGone`.
    """
    chosen = _lock_and_find(project, list(dict.fromkeys(ids)))
    at = at or now()
    DismissedProposal.objects.bulk_create(
        DismissedProposal(
            question_id=each.question_id,
            proposal_hash=each.proposal.hash,
            dismissed_by=by,
            dismissed_at=at,
        )
        for each in chosen
    )
    return len(chosen)


def restore_dismissed(*, project: Project) -> int:
    """Let all dismissed proposals of a project be proposed again; return how many were dismissed."""
    deleted, _ = DismissedProposal.objects.filter(question__project=project).delete()
    return deleted


@transaction.atomic
def undo_group(*, project: Project, group: str, by: User, reason: str, at: datetime | None = None) -> int:
    """Take what is in force of a group out of force; return how many changes.

    Raises `GroupNotFound`, `ReasonMissing`.
    """
    if not reason.strip():
        raise ReasonMissing(
            "Enter a reason for undoing these changes.", details={"fields": {"reason": ["Required."]}}
        )
    rows = GoldChange.objects.filter(question__project=project, group=group, undone_at=None)
    if not group or not rows.exists():
        raise GroupNotFound("None of the changes in this group can be undone anymore. Reload the page.")
    _lock(rows.values_list("question_id", flat=True))
    return rows.update(undone_at=at or now(), undone_by=by, undo_reason=reason.strip())


def _lock(question_ids: Iterable[int]) -> None:
    """Lock questions one after the other by key, as everybody does who needs several."""
    questions = Question.objects.filter(pk__in=set(question_ids)).order_by("pk")
    list(questions.select_for_update().values_list("pk", flat=True))


def _lock_and_find(project: Project, ids: Sequence[str], *, skips_gone: bool = False) -> list[_Chosen]:
    """Return proposals with their questions and the decisions behind them, in the order given."""
    public_ids = {each.rpartition("-")[0] for each in ids}
    questions = dict(
        Question.objects.filter(project=project, public_id__in=public_ids).values_list("pk", "public_id")
    )
    _lock(questions)
    found = {
        proposal_id(questions[of_question.question_id], proposal): _Chosen(
            of_question.question_id, proposal, of_question.decisions.get(proposal.source)
        )
        for of_question in find_proposals(project=project, question_ids=questions)
        for proposal in of_question.proposals
    }
    if not skips_gone and any(each not in found for each in ids):
        raise ProposalGone(
            "Some of these proposals no longer apply, because the gold list or a decision has changed. "
            "Reload the list."
        )
    return [found[each] for each in ids if each in found]
