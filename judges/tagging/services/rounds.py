"""Draw a tagging round: once, by filter, size and seed."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from common.clock import now
from common.errors import Invalid
from judges.runs.models import JudgeRun, Verdict
from judges.tagging.models import RoundTagger, TaggedItem, TaggingRound, TagSet
from judges.tagging.rules import READY_MADE, AnswerFacts, Filter, Said, Subject, draw
from judges.tagging.selectors import find_population, list_taggers, newest_set
from judges.tagging.selectors.rounds import run_of
from judges.tagging.services.proposing import propose_by_model, propose_by_rules
from judges.tagging.services.sets import keep_ready_made

LARGEST_ROUND = 5_000


class UnusableRound(Invalid):
    """The round cannot be drawn as asked; the message says what to change."""

    code = "unusable_tagging_round"


class NothingToTag(Invalid):
    """No decided answer fits the filter."""

    code = "nothing_to_tag"


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
    `NothingToTag`, and what `start_proposing` raises.
    """
    with transaction.atomic():
        tag_set = _find_set(project, set_key)
    run = _find_run(project, tag_set.subject, wanted)
    # Drawn before the transaction: it reads the whole study, and SQLite has one writer.
    population = _drawn(project, tag_set.subject, wanted, size=None, seed=seed)
    if not population:
        raise NothingToTag("No decided answer fits. Ask for less, or wait until people have decided more.")
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
        if proposals != TaggingRound.Proposals.NONE and connection:
            propose_by_model(tagging_round, list(items), connection_id=connection, spend_cap=spend_cap, by=by)
        elif proposals != TaggingRound.Proposals.NONE:
            propose_by_rules(tagging_round, items)
    return tagging_round


def _store(
    tagging_round: TaggingRound, drawn: Sequence[int], *, taggers: Sequence[Membership]
) -> dict[int, TaggedItem]:
    Project.objects.select_for_update().get(pk=tagging_round.project_id)
    tagging_round.save()
    RoundTagger.objects.bulk_create(RoundTagger(round=tagging_round, member=member) for member in taggers)
    return _store_items(tagging_round, drawn)


def _find_set(project: Project, key: str) -> TagSet:
    if key in READY_MADE:
        return keep_ready_made(project=project, spec=READY_MADE[key])
    found = newest_set(project=project, key=key)
    if found is None:
        raise UnusableRound(f"This project has no set of tags “{key}”.")
    return found


def _find_run(project: Project, subject: str, wanted: Filter) -> JudgeRun | None:
    run = run_of(project=project, public_id=wanted.run) if wanted.run else None
    if wanted.run and run is None:
        raise UnusableRound("This project has no such run.")
    if run is None and (subject == Subject.VERDICT or wanted.said is not Said.ANY):
        raise UnusableRound("Choose the judge whose verdicts are meant.")
    return run


def _find_taggers(project: Project, public_ids: Sequence[str]) -> list[Membership]:
    found = list(list_taggers(project=project).filter(public_id__in=public_ids))
    if len(found) != len(set(public_ids)):
        raise UnusableRound("Only leads and adjudicators of this project tag: they see gold and verdicts.")
    return found


def _drawn(project: Project, subject: str, wanted: Filter, *, size: int | None, seed: int) -> list[int]:
    population: Iterable[AnswerFacts] = find_population(project=project, wanted=wanted)
    return draw(population, size=size, seed=seed, by_question=subject == Subject.QUESTION)


def _store_items(tagging_round: TaggingRound, drawn: Sequence[int]) -> dict[int, TaggedItem]:
    """Store what was drawn; returned by the answer that each was drawn with."""
    candidates = Candidate.objects.in_bulk(drawn)
    verdicts = _verdicts(tagging_round, drawn)
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


def _verdicts(tagging_round: TaggingRound, drawn: Sequence[int]) -> dict[int, Verdict]:
    if tagging_round.tag_set.subject != Subject.VERDICT:
        return {}
    rows = Verdict.objects.filter(run=tagging_round.run_id, candidate__in=drawn).order_by("pk")
    return {verdict.candidate_id: verdict for verdict in rows}
