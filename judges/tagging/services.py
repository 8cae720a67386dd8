"""Keep sets of tags, draw rounds, have tags proposed, and record what people say of their items."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.accounts.models import User
from annotation.gold.selectors.ledger import gold_lists
from annotation.items.models import Candidate, GoldAnswer
from annotation.projects.models import Membership, Project
from common.clock import now
from common.errors import Conflict, Forbidden, Invalid
from judges import protocol
from judges.connections.rules.calls import storable
from judges.methods.llm.proposer import TagReply, read_tags
from judges.runs.models import JudgeRun, Verdict
from judges.runs.services.control import Proposer, find_proposer, start_proposing
from judges.tagging.models import RoundTagger, TaggedItem, Tagging, TaggingRound, TagProposal, TagSet
from judges.tagging.rules.proposals import Proposal, propose, rules_signature
from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.rounds import AnswerFacts, Filter, Said, draw
from judges.tagging.rules.sets import SetSpec, Subject, UnusableSet, read_set
from judges.tagging.selectors import (
    choices_of,
    find_population,
    list_taggers,
    may_tag,
    newest_set,
    offered_tags,
    round_of,
    run_of,
)

LARGEST_ROUND = 5_000
LONGEST_NAME = 100


class TagSetRefused(Invalid):
    """The set cannot be used; the message says why."""

    code = "unusable_tag_set"


class TagSetTaken(Conflict):
    """A set of this key is there already, or it is one of Assay's own."""


@transaction.atomic
def save_tag_set(
    *,
    project: Project,
    by: User,
    key: str,
    name: str,
    subject: str,
    tags: Sequence[Mapping[str, Any]],
    several: bool = True,
    summary: str = "",
    is_new: bool = False,
    at: datetime | None = None,
) -> TagSet:
    """Keep a set of the project's own.

    A version that no round uses is changed in place; one in use stays as it is, and the change is the next
    version. is_new: refuse a key there is. Raises `TagSetRefused`, `TagSetTaken`.
    """
    if key in READY_MADE:
        raise TagSetTaken(f"“{key}” is a built-in tag set. Choose another key.")
    spec = _read(key=key, name=name, summary=summary, subject=subject, several=several, tags=tags)
    # The project's row is the lock under which versions are numbered.
    Project.objects.locked(project.pk)
    newest = newest_set(project=project, key=key)
    if newest is not None and is_new:
        raise TagSetTaken(
            f"The tag set “{key}” already exists in this project. Change that one, or choose another key."
        )
    if newest is not None and newest.content_hash == spec.content_hash:
        return newest
    if newest is not None and not newest.rounds.exists():
        newest.delete()
        return _insert(project, spec, version=newest.version, by=by, at=at)
    return _insert(project, spec, version=newest.version + 1 if newest else 1, by=by, at=at)


def _read(**given: Any) -> SetSpec:
    try:
        return read_set(**given)
    except UnusableSet as error:
        raise TagSetRefused(error.message, details={"fields": {error.field: [error.message]}}) from None


def keep_ready_made(*, project: Project, spec: SetSpec, at: datetime | None = None) -> TagSet:
    """Return the row of a ready-made set as it is today; to be called under the project's lock."""
    newest = newest_set(project=project, key=spec.key)
    if newest is not None and newest.content_hash == spec.content_hash:
        return newest
    return _insert(project, spec, version=newest.version + 1 if newest else 1, by=None, at=at)


def _insert(project: Project, spec: SetSpec, *, version: int, by: User | None, at: datetime | None) -> TagSet:
    return TagSet.objects.create(
        project=project,
        key=spec.key,
        version=version,
        name=spec.name,
        summary=spec.summary,
        source=spec.source,
        subject=spec.subject.value,
        several=spec.several,
        tags=[tag.to_json() for tag in spec.tags],
        content_hash=spec.content_hash,
        created_by=by,
        created_at=at or now(),
    )


class UnusableRound(Invalid):
    """The round cannot be drawn as asked; the message says what to change."""

    code = "unusable_tagging_round"


class NothingToTag(Invalid):
    """No decided answer fits the filter."""


def foresee_round(*, project: Project, subject: str, wanted: Filter) -> int:
    """Return how many items a round would draw from; raises `UnusableRound`."""
    _find_run(project, subject, wanted)
    return len(_drawn(project, subject, wanted, size=None, seed=0))


def start_round(
    *,
    project: Project,
    by: User,
    name: str,
    set_key: str,
    wanted: Filter,
    size: int | None,
    seed: int,
    proposals: str = TaggingRound.Proposals.NONE,
    connection: str = "",
    spend_cap: int | None = None,
    taggers: Sequence[str] = (),
    at: datetime | None = None,
) -> TaggingRound:
    """Draw a round and have tags proposed where it asks for that; what is decided later does not change it.

    connection: the public id of the model that proposes, under a cap in pico-USD; without one rules do.
    taggers: public ids of leads and adjudicators; none means all of them. Raises `UnusableRound`,
    `NothingToTag`, and what `find_proposer` and `start_proposing` raise.
    """
    with transaction.atomic():
        tag_set = _find_set(project, set_key)
    run = _find_run(project, tag_set.subject, wanted)
    # Drawn before the transaction: it reads the whole study, and SQLite has one writer.
    population = _drawn(project, tag_set.subject, wanted, size=None, seed=seed)
    if not population:
        raise NothingToTag(
            "No decided answer matches. Remove some filters, or wait until people have decided more answers."
        )
    is_asked = proposals != TaggingRound.Proposals.NONE and bool(connection)
    proposer = find_proposer(project=project, connection_id=connection) if is_asked else None
    tagging_round = TaggingRound(
        project=project,
        name=name.strip() or tag_set.name,
        tag_set=tag_set,
        filter=wanted.to_json(),
        run=run,
        judge_signature=run.signature if run else "",
        size=size,
        seed=seed,
        population=len(population),
        proposals=proposals,
        created_by=by,
        created_at=at or now(),
    )
    with transaction.atomic():
        drawn = population[: min(size or LARGEST_ROUND, LARGEST_ROUND)]
        items = _store(tagging_round, drawn, taggers=_find_taggers(project, taggers))
        if proposer is not None:
            propose_by_model(tagging_round, list(items), proposer=proposer, spend_cap=spend_cap, by=by)
        elif proposals != TaggingRound.Proposals.NONE:
            propose_by_rules(tagging_round, items)
    return tagging_round


# As many as are selected and acted on together elsewhere.
MOST_CHOSEN = 200


def tag_chosen(
    *,
    project: Project,
    by: Membership,
    set_key: str,
    answers: Sequence[str],
    tags: Sequence[str] = (),
    note: str = "",
    at: datetime | None = None,
) -> TaggingRound:
    """Make a round of answers that somebody chose, by public id, and say these tags of each.

    Without tags the round is tagged item by item. Of a set about questions an item is a question. All of it
    or nothing; raises `UnusableRound`, `UnusableTagging`.
    """
    with transaction.atomic():
        tag_set = _find_set(project, set_key)
    if tag_set.subject == Subject.VERDICT:
        raise UnusableRound("To tag verdicts, create a tagging round for their judge on the Failures page.")
    chosen = _find_chosen(project, answers, by_question=tag_set.subject == Subject.QUESTION)
    tagging_round = TaggingRound(
        project=project,
        name=f"Selected answers: {tag_set.name}"[:LONGEST_NAME],
        tag_set=tag_set,
        filter=Filter(by_hand=True).to_json(),
        size=None,
        seed=0,
        population=len(chosen),
        created_by=by.user,
        created_at=at or now(),
    )
    with transaction.atomic():
        items = _store(tagging_round, chosen, taggers=())
        for item in items.values() if tags else ():
            tag_item(item=item, by=by, tags=tags, seen_number=0, note=note, at=at)
    return tagging_round


def _find_chosen(project: Project, answers: Sequence[str], *, by_question: bool) -> list[int]:
    """Return the keys of chosen answers in the order chosen, of several to one question the first alone."""
    rows = Candidate.objects.filter(project=project, public_id__in=answers)
    chosen = {candidate.public_id: candidate for candidate in rows}
    decided = {each.id for each in find_population(project=project, wanted=Filter())}
    for public_id in answers:
        if public_id not in chosen:
            raise UnusableRound("One of these answers no longer exists. Select the answers again.")
        if chosen[public_id].pk not in decided:
            raise UnusableRound(
                f"“{chosen[public_id].text}” cannot be tagged, so nothing was tagged. Select only "
                "decided answers to judged questions."
            )
    ordered = [chosen[public_id] for public_id in dict.fromkeys(answers)]
    first = {each.question_id: each for each in reversed(ordered)}
    return [each.pk for each in ordered if not by_question or first[each.question_id] is each]


def _store(
    tagging_round: TaggingRound, drawn: Sequence[int], *, taggers: Sequence[Membership]
) -> dict[int, TaggedItem]:
    Project.objects.locked(tagging_round.project_id)
    tagging_round.save()
    RoundTagger.objects.bulk_create(RoundTagger(round=tagging_round, member=member) for member in taggers)
    return _store_items(tagging_round, drawn)


def _find_set(project: Project, key: str) -> TagSet:
    if key in READY_MADE:
        return keep_ready_made(project=project, spec=READY_MADE[key])
    found = newest_set(project=project, key=key)
    if found is None:
        raise UnusableRound(f"The tag set “{key}” does not exist in this project.")
    return found


def _find_run(project: Project, subject: str, wanted: Filter) -> JudgeRun | None:
    run = run_of(project=project, public_id=wanted.run) if wanted.run else None
    if wanted.run and run is None:
        raise UnusableRound("This project has no such run.")
    if run is None and (subject == Subject.VERDICT or wanted.said is not Said.ANY):
        raise UnusableRound("Choose the judge whose verdicts you want to tag.")
    return run


def _find_taggers(project: Project, public_ids: Sequence[str]) -> list[Membership]:
    found = list(list_taggers(project=project).filter(public_id__in=public_ids))
    if len(found) != len(set(public_ids)):
        raise UnusableRound(
            "Only leads and adjudicators of this project can tag, because tagging shows gold answers and "
            "verdicts."
        )
    return found


def _drawn(project: Project, subject: str, wanted: Filter, *, size: int | None, seed: int) -> list[int]:
    population: Iterable[AnswerFacts] = find_population(project=project, wanted=wanted)
    return draw(population, size=size, seed=seed, by_question=subject == Subject.QUESTION)


def _store_items(tagging_round: TaggingRound, drawn: Sequence[int]) -> dict[int, TaggedItem]:
    """Store what was drawn; returned by the answer that each was drawn with."""
    candidates = Candidate.objects.in_bulk(drawn)
    verdicts = _verdicts_of(tagging_round, drawn)
    is_about_questions = tagging_round.tag_set.subject == Subject.QUESTION
    items = {
        pk: TaggedItem(
            round=tagging_round,
            position=position,
            question_id=candidates[pk].question_id,
            candidate=None if is_about_questions else candidates[pk],
            verdict=verdicts.get(pk),
            accepted=verdicts[pk].accepted if pk in verdicts else None,
        )
        # What an undone import took away meanwhile is left out.
        for position, pk in enumerate(pk for pk in drawn if pk in candidates)
    }
    TaggedItem.objects.bulk_create(items.values())
    return items


def _verdicts_of(tagging_round: TaggingRound, drawn: Sequence[int]) -> dict[int, Verdict]:
    if tagging_round.tag_set.subject != Subject.VERDICT:
        return {}
    rows = Verdict.objects.filter(run=tagging_round.run_id, candidate__in=drawn).order_by("pk")
    return {verdict.candidate_id: verdict for verdict in rows}


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
    proposer: Proposer,
    spend_cap: int | None,
    by: User,
) -> None:
    """Set a model to work on a round; raises what `start_proposing` raises."""
    tagging_round.proposer_run = start_proposing(
        project=tagging_round.project,
        proposer=proposer,
        about={"set": str(tagging_round.tag_set), "choices_hash": choices_of(tagging_round).hash},
        scope=tagging_round.public_id,
        candidate_ids=candidate_ids,
        spend_cap=spend_cap,
        by=by,
        at=tagging_round.created_at,
    )
    tagging_round.save(update_fields=["proposer_run"])


def keep_proposals(*, run_id: int, replies: Mapping[int, protocol.Verdict], at: datetime) -> None:
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
    tagging_round: TaggingRound, replies: Mapping[int, protocol.Verdict]
) -> list[tuple[TaggedItem, protocol.Verdict]]:
    """Return items with their replies; a question's item is found by the answer that stood for it."""
    questions = dict(Candidate.objects.filter(pk__in=list(replies)).values_list("pk", "question_id"))
    by_answer = {item.candidate_id: item for item in tagging_round.items.filter(candidate__in=questions)}
    of_questions = tagging_round.items.filter(candidate=None, question__in=questions.values())
    by_question = {item.question_id: item for item in of_questions}
    found = (
        (by_answer.get(pk) or by_question.get(question), replies[pk]) for pk, question in questions.items()
    )
    return [(item, reply) for item, reply in found if item is not None]


class NotATagger(Forbidden):
    """The round names others."""


class StaleTagging(Conflict):
    """Somebody else was faster."""


class UnusableTagging(Invalid):
    """The tags do not fit the round's set."""


@transaction.atomic
def tag_item(
    *,
    item: TaggedItem,
    by: Membership,
    tags: Sequence[str],
    seen_number: int,
    note: str = "",
    is_unattributable: bool = False,
    at: datetime | None = None,
) -> Tagging:
    """Say what an item is tagged with; what was said before stays in its history.

    seen_number: of the last row of the history the person saw, 0 where there was none. Raises `NotATagger`,
    `UnusableTagging`, `StaleTagging`.
    """
    _require_tagger(item, by)
    chosen = _check(item, tags, is_unattributable=is_unattributable)
    return _append(
        item,
        Tagging(
            item=item,
            number=seen_number + 1,
            tags=chosen,
            is_unattributable=is_unattributable,
            note=note.strip(),
            tagged_by=by.user,
            tagged_at=at or now(),
        ),
    )


@transaction.atomic
def withdraw_tagging(
    *, item: TaggedItem, by: Membership, seen_number: int, at: datetime | None = None
) -> Tagging:
    """Take back what was said of an item, which is then open again. Raises `NotATagger`, `StaleTagging`."""
    _require_tagger(item, by)
    if not Tagging.objects.in_force().filter(item=item).exists():
        raise StaleTagging("Nobody has tagged this, so there is nothing to undo.")
    return _append(
        item,
        Tagging(
            item=item,
            number=seen_number + 1,
            is_withdrawal=True,
            tagged_by=by.user,
            tagged_at=at or now(),
        ),
    )


def _require_tagger(item: TaggedItem, member: Membership) -> None:
    if not may_tag(tagging_round=item.round, member=member):
        raise NotATagger("You are not a tagger in this round. A lead can add you to a new round.")


def _check(item: TaggedItem, tags: Sequence[str], *, is_unattributable: bool) -> list[str]:
    tag_set = item.round.tag_set
    offered = [tag.key for tag in offered_tags(item.round)]
    unknown = sorted(set(tags) - set(offered))
    if unknown:
        raise UnusableTagging(f"The tag “{unknown[0]}” is not available in this tagging round.")
    if not tags and not is_unattributable:
        raise UnusableTagging("Choose a tag first.")
    if len(set(tags)) > 1 and not tag_set.several:
        raise UnusableTagging("This tag set allows only one tag. Choose the main one.")
    if is_unattributable and tag_set.subject == Subject.QUESTION:
        raise UnusableTagging("Only answers can be marked unattributable.")
    return [key for key in offered if key in tags]


def _append(item: TaggedItem, row: Tagging) -> Tagging:
    # The item's row is the lock: of two who saw the same history one is told to look again.
    TaggedItem.objects.select_for_update().get(pk=item.pk)
    last = item.taggings.order_by("-number").values_list("number", flat=True).first() or 0
    if last != row.number - 1:
        raise StaleTagging("Somebody else has tagged this in the meantime. Review it again.")
    item.taggings.filter(is_current=True).update(is_current=False)
    row.save()
    return row
