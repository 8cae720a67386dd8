"""Have tags proposed for the items of a round: by rules at once, by a model in a run."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from annotation.accounts.models import User
from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate, GoldAnswer
from judges.connections.rules import storable
from judges.methods.llm.proposer import TagReply, read_tags
from judges.protocol import Verdict
from judges.runs.services import start_proposing
from judges.tagging.models import TaggedItem, TaggingRound, TagProposal
from judges.tagging.rules import Proposal, propose, rules_signature
from judges.tagging.selectors import choices_of, offered_tags, round_of


def propose_by_rules(tagging_round: TaggingRound, items: Mapping[int, TaggedItem]) -> None:
    """Store what rules propose; items by the answer they were drawn with."""
    signature = rules_signature(set_name=str(tagging_round.tag_set))
    TagProposal.objects.bulk_create(
        TagProposal(
            item=items[pk],
            signature=signature,
            tags=list(proposal.tags),
            reason=proposal.reason,
            proposed_at=tagging_round.created_at,
        )
        for pk, proposal in _proposals(tagging_round, items).items()
    )


def _proposals(tagging_round: TaggingRound, items: Mapping[int, TaggedItem]) -> dict[int, Proposal]:
    candidates = Candidate.objects.in_bulk(list(items))
    questions = {candidate.question_id for candidate in candidates.values()}
    golds = gold_lists(tagging_round.project, amended=False, question_ids=questions)
    # A pattern is no wording that another could be near to.
    regexes = GoldAnswer.objects.filter(question__in=questions, kind=GoldAnswer.Kind.REGEX)
    patterns = frozenset(regexes.values_list("text", flat=True))
    offered = [tag.key for tag in offered_tags(tagging_round)]
    found = {
        pk: propose(
            set_key=tagging_round.tag_set.key,
            answer=candidate.text,
            golds=[text for text in golds[candidate.question_id] if text not in patterns],
            accepted=items[pk].accepted,
            offered=offered,
        )
        for pk, candidate in candidates.items()
    }
    return {pk: proposal for pk, proposal in found.items() if proposal is not None}


def propose_by_model(
    tagging_round: TaggingRound,
    candidate_ids: Sequence[int],
    *,
    connection_id: str,
    spend_cap: int | None,
    by: User,
) -> None:
    """Set a model to work on a round; raises what `start_proposing` raises."""
    tagging_round.proposer_run = start_proposing(
        project=tagging_round.project,
        connection_id=connection_id,
        about={"set": str(tagging_round.tag_set), "choices_hash": choices_of(tagging_round).hash},
        scope=tagging_round.public_id,
        candidate_ids=candidate_ids,
        spend_cap=spend_cap,
        by=by,
        at=tagging_round.created_at,
    )
    tagging_round.save(update_fields=["proposer_run"])


def keep_proposals(*, run_id: int, replies: Mapping[int, Verdict], at: datetime) -> None:
    """Keep what a model proposed, or why it did not, by the answer it was asked about; once an item."""
    tagging_round = round_of(run_id)
    choices = choices_of(tagging_round)
    signature = tagging_round.proposer_run.signature if tagging_round.proposer_run else ""
    for item, reply in _asked_items(tagging_round, replies):
        said = (
            TagReply(failure=reply.unscored_reason)
            if reply.unscored_reason
            else read_tags(reply.raw_reply, choices=choices)
        )
        TagProposal.objects.get_or_create(
            item=item,
            defaults={
                "signature": signature,
                "tags": list(said.tags),
                "reason": storable(said.reason),
                "failure": said.failure,
                "proposed_at": at,
            },
        )


def _asked_items(
    tagging_round: TaggingRound, replies: Mapping[int, Verdict]
) -> list[tuple[TaggedItem, Verdict]]:
    """Return items with their replies; a question's item is found by the answer that stood for it."""
    questions = dict(Candidate.objects.filter(pk__in=list(replies)).values_list("pk", "question_id"))
    by_answer = {item.candidate_id: item for item in tagging_round.items.filter(candidate__in=questions)}
    of_questions = tagging_round.items.filter(candidate=None, question__in=questions.values())
    by_question = {item.question_id: item for item in of_questions}
    found = (
        (by_answer.get(pk) or by_question.get(question), replies[pk]) for pk, question in questions.items()
    )
    return [(item, reply) for item, reply in found if item is not None]
