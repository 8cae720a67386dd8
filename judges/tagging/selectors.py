"""Read sets of tags, rounds, what they draw from, and what was said of their items."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.dossier import current_labels
from annotation.assignments.models import QuestionFlag
from annotation.gold.selectors.ledger import gold_lists
from annotation.items.models import Prediction
from annotation.items.selectors import gold_entries
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import sees_systems
from common.errors import NotFound
from judges import registry
from judges.methods.llm.proposer import TagChoice, TagChoices
from judges.runs.models import JudgeRun, Verdict
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagProposal, TagSet
from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.rounds import (
    AnswerFacts,
    Filter,
    ProposalComparison,
    RoundResults,
    TagPair,
    compare_tags,
    count_tags,
    fits,
)
from judges.tagging.rules.sets import JudgeKind, SetSpec, Subject, Tag

HIDDEN_SYSTEM = "hidden"
TAGGING_ROLES = (Membership.Role.LEAD, Membership.Role.ADJUDICATOR)


class TagSetNotFound(NotFound):
    """The project has no such set, and Assay brings none along."""


@dataclass(frozen=True)
class ListedSet:
    """A tag set.

    `version`: 0 until a built-in set is first used. `is_own`: whether it is the project’s own. `is_used`:
    whether it is in use, so that a change creates a new version.
    """

    key: str
    name: str
    summary: str
    source: str
    subject: Subject
    several: bool
    tags: list[Tag]
    version: int
    is_own: bool
    is_used: bool


def list_specs(*, project: Project) -> list[ListedSet]:
    """Return the ready-made sets, then the project's own by name."""
    newest = {row.key: row for row in TagSet.objects.filter(project=project).order_by("version")}
    used = set(TagSet.objects.filter(project=project, rounds__isnull=False).values_list("pk", flat=True))

    def listed(key: str, spec: SetSpec) -> ListedSet:
        row = newest.get(key)
        return ListedSet(
            key=key,
            name=spec.name,
            summary=spec.summary,
            source=spec.source,
            subject=spec.subject,
            several=spec.several,
            tags=list(spec.tags),
            version=row.version if row else 0,
            is_own=key not in READY_MADE,
            is_used=row is not None and row.pk in used,
        )

    own = [listed(key, row.as_spec()) for key, row in newest.items() if key not in READY_MADE]
    ready = [listed(key, spec) for key, spec in READY_MADE.items()]
    return ready + sorted(own, key=lambda each: (each.name, each.key))


def get_listed(*, project: Project, key: str) -> ListedSet:
    """Return one set as the list has it; raises `TagSetNotFound`."""
    for each in list_specs(project=project):
        if each.key == key:
            return each
    raise TagSetNotFound("This project has no such tag set.")


def newest_set(*, project: Project, key: str) -> TagSet | None:
    """Return the newest version of a set that has rows in this project."""
    return TagSet.objects.filter(project=project, key=key).order_by("-version").first()


class RoundNotFound(NotFound):
    """The project has no such round."""

    code = "tagging_round_not_found"


@dataclass(frozen=True)
class TaggableRun:
    """A run whose verdicts can be tagged."""

    id: str
    name: str
    signature: str


class RoundProgress(NamedTuple):
    """A round with its progress; for how many items something was proposed, or could not be, and by what."""

    round: TaggingRound
    total: int
    done: int
    proposed: int
    not_proposed: int
    proposed_by: str


@dataclass(frozen=True)
class Proposer:
    """The run of the model that proposes tags.

    `message`: why it is paused or failed; otherwise empty.
    """

    run: str
    state: JudgeRun.State
    message: str


@dataclass(frozen=True)
class RoundRead:
    """A tagging round and its progress.

    `comparison`: null if the round has no proposals, and for callers who are still tagging with hidden
    proposals.
    """

    id: str
    name: str
    set: str
    set_name: str
    set_version: int
    subject: Subject
    filter: Filter
    judge: str
    size: int | None
    seed: int
    population: int
    proposals: TaggingRound.Proposals
    total: int
    done: int
    proposed: int
    not_proposed: int
    proposed_by: str
    proposer: Proposer | None
    comparison: ProposalComparison | None
    taggers: list[str]
    may_tag: bool
    created_by: str
    created_at: datetime


@dataclass(frozen=True)
class ItemLine:
    """An item in the list of a round."""

    id: str
    question: str
    answer: str | None
    tags: list[str]
    is_done: bool


@dataclass(frozen=True)
class RoundDetail(RoundRead):
    """A tagging round with its tags, and its items in tagging order."""

    several: bool
    tags: list[Tag]
    items: list[ItemLine]


@dataclass(frozen=True)
class Tagger:
    """A member who may tag."""

    id: str
    name: str


@dataclass(frozen=True)
class TaggingOverview:
    """The rounds, newest first, with the runs and people available for a new round."""

    rounds: list[RoundRead]
    runs: list[TaggableRun]
    taggers: list[Tagger]


def list_runs(*, project: Project) -> list[TaggableRun]:
    """Return the project's runs with verdicts, oldest first."""
    rows = project.judge_runs.filter(verdicts__isnull=False).distinct().order_by("created_at", "pk")
    return [TaggableRun(run.public_id, registry.display_name(run.judge_key), run.signature) for run in rows]


def kind_of_judge(key: str) -> JudgeKind:
    """Return which tags fit a judge's errors; `ANY` where its verdicts came from elsewhere."""
    entry = registry.get_entry(key)
    if entry.is_lexical:
        return JudgeKind.LEXICAL
    if entry.needs is registry.Needs.CONNECTION:
        return JudgeKind.LLM
    return JudgeKind.NEURAL if entry.extra == "neural" else JudgeKind.ANY


def judge_name(tagging_round: TaggingRound) -> str:
    """Return what the round's judge is called; its signature once its run is gone, nothing where none is."""
    if tagging_round.run is None:
        return tagging_round.judge_signature
    return registry.display_name(tagging_round.run.judge_key)


def offered_tags(tagging_round: TaggingRound) -> list[Tag]:
    """Return the tags that can be said in a round: about verdicts, those that fit the kind of its judge."""
    tags = list(tagging_round.tag_set.as_spec().tags)
    if tagging_round.tag_set.subject != Subject.VERDICT or tagging_round.run is None:
        return tags
    kind = kind_of_judge(tagging_round.run.judge_key)
    return [tag for tag in tags if kind is JudgeKind.ANY or tag.judges in (JudgeKind.ANY, kind)]


def list_taggers(*, project: Project) -> QuerySet[Membership]:
    """Return who may tag at all: nobody who judges blind, since systems, gold and verdicts are shown."""
    return (
        Membership.objects.filter(project=project, role__in=TAGGING_ROLES, state=Membership.State.ACTIVE)
        .select_related("user")
        .order_by("joined_at", "pk")
    )


def may_tag(*, tagging_round: TaggingRound, member: Membership) -> bool:
    """Say whether somebody tags in this round; where it names nobody, every lead and adjudicator does."""
    named = {each.member_id for each in tagging_round.named.all()}
    return member.role in TAGGING_ROLES and (not named or member.pk in named)


def read_tagging(*, project: Project, member: Membership) -> TaggingOverview:
    """Return the project's rounds as a member may see them, with the judges and people a new one may name."""
    rounds = _rounds(project).order_by("-created_at", "-pk")
    return TaggingOverview(
        rounds=[RoundRead(**_read(each, member)) for each in rounds],
        runs=list_runs(project=project),
        taggers=[Tagger(each.public_id, each.user.name) for each in list_taggers(project=project)],
    )


def read_round(tagging_round: TaggingRound, *, member: Membership) -> RoundDetail:
    """Return a round as a member may see it."""
    return RoundDetail(
        **_read(tagging_round, member),
        several=tagging_round.tag_set.several,
        tags=offered_tags(tagging_round),
        items=list_items(tagging_round=tagging_round),
    )


def _read(found: TaggingRound, member: Membership) -> dict[str, Any]:
    progress = describe_round(found)
    run = found.proposer_run
    named = sorted(found.named.all(), key=lambda each: each.pk)
    counts = progress._asdict()
    del counts["round"]
    return {
        **counts,
        "id": found.public_id,
        **{name: getattr(found, name) for name in ("name", "size", "seed", "population", "created_at")},
        "set": found.tag_set.key,
        "set_name": found.tag_set.name,
        "set_version": found.tag_set.version,
        "subject": Subject(found.tag_set.subject),
        "filter": _shown_filter(found, member),
        "judge": judge_name(found),
        "proposals": TaggingRound.Proposals(found.proposals),
        "proposer": run and Proposer(run.public_id, JudgeRun.State(run.state), run.message),
        "comparison": view_comparison(view=progress, member=member),
        "taggers": [each.member.user.name for each in named],
        "may_tag": may_tag(tagging_round=found, member=member),
        "created_by": found.created_by.name,
    }


def _shown_filter(found: TaggingRound, member: Membership) -> Filter:
    """Say that a round is about one system, but not which to those who may not see systems."""
    wanted = Filter.from_json(found.filter)
    return replace(wanted, system=HIDDEN_SYSTEM) if wanted.system and not sees_systems(member) else wanted


def get_round(*, project: Project, public_id: str) -> TaggingRound:
    """Return one round; raises `RoundNotFound`."""
    found = _rounds(project).filter(public_id=public_id).first()
    if found is None:
        raise RoundNotFound("This project has no such tagging round.")
    return found


def _rounds(project: Project) -> QuerySet[TaggingRound]:
    return (
        TaggingRound.objects.filter(project=project)
        .select_related("tag_set", "run", "proposer_run", "created_by", "project")
        .prefetch_related("named__member__user")
    )


def describe_round(tagging_round: TaggingRound) -> RoundProgress:
    """Return a round with its progress."""
    total = tagging_round.items.count()
    done = Tagging.objects.in_force().filter(item__round=tagging_round).count()
    proposals = TagProposal.objects.filter(item__round=tagging_round).order_by("pk")
    made = list(proposals.values_list("signature", "failure"))
    failed = sum(bool(failure) for _, failure in made)
    return RoundProgress(
        round=tagging_round,
        total=total,
        done=done,
        proposed=len(made) - failed,
        not_proposed=failed,
        proposed_by=made[0][0] if made else "",
    )


def view_comparison(*, view: RoundProgress, member: Membership) -> ProposalComparison | None:
    """Return proposals beside people; None where there are none, or this person still tags blind to them.

    Counts over few items would tell what was proposed for them.
    """
    found = view.round
    if found.proposals == TaggingRound.Proposals.NONE:
        return None
    is_hidden = found.proposals == TaggingRound.Proposals.HIDDEN and view.done < view.total
    if is_hidden and may_tag(tagging_round=found, member=member):
        return None
    spoken = Tagging.objects.in_force().filter(item__round=found, item__proposal__failure="")
    pairs = spoken.order_by("pk").values_list("item__proposal__tags", "tags")
    return compare_tags(
        pairs=[TagPair(frozenset(proposed), frozenset(said)) for proposed, said in pairs],
        offered=[tag.key for tag in offered_tags(found)],
    )


def run_of(*, project: Project, public_id: str) -> JudgeRun | None:
    """Return a run of the project by its public id, or None."""
    return JudgeRun.objects.filter(project=project, public_id=public_id).first()


def read_results(tagging_round: TaggingRound) -> RoundResults:
    """Return how often people said each tag, over the items somebody has tagged."""
    current = Tagging.objects.in_force().filter(item__round=tagging_round)
    rows = list(current.order_by("item__position").values_list("tags", "is_unattributable"))
    return count_tags(
        said=[frozenset(tags) for tags, _ in rows],
        unattributable=sum(is_unattributable for _, is_unattributable in rows),
        offered=offered_tags(tagging_round),
        is_sample=not Filter.from_json(tagging_round.filter).by_hand,
    )


class ItemNotFound(NotFound):
    """The round has no such item."""

    code = "tagged_item_not_found"


@dataclass(frozen=True)
class ItemTagging:
    """A person’s tags on an item, or the withdrawal of those tags."""

    number: int
    is_withdrawal: bool
    tags: list[str]
    is_unattributable: bool
    note: str
    by: str
    at: datetime


@dataclass(frozen=True)
class ItemProposal:
    """The tags that were proposed before people tagged, and why.

    `failure`: why none could be proposed, or empty.
    """

    tags: list[str]
    reason: str
    failure: str
    signature: str


@dataclass(frozen=True)
class ItemVerdict:
    """The judge’s verdict when the round was created.

    `raw_reply`: the judge’s reply; empty if the run’s verdict no longer exists.
    """

    accepted: bool | None
    score: float | None
    raw_reply: str


@dataclass(frozen=True)
class ItemRead:
    """Everything needed to tag an item.

    `systems`: null for callers who may not see them. `proposal`: null if there is none or the round hides it.
    """

    id: str
    answer_id: str | None
    question: str
    gold: list[str]
    amended_gold: list[str]
    flags: list[str]
    answer: str | None
    label: str | None
    systems: list[str] | None
    verdict: ItemVerdict | None
    proposal: ItemProposal | None
    current: ItemTagging | None
    history: list[ItemTagging]


def list_items(*, tagging_round: TaggingRound) -> list[ItemLine]:
    """Return a round's items in the order of the work."""
    current = {
        tagging.item_id: tagging.tags
        for tagging in Tagging.objects.in_force().filter(item__round=tagging_round)
    }
    rows = tagging_round.items.order_by("position").values_list(
        "pk", "public_id", "question__text", "candidate__text"
    )
    return [
        ItemLine(public_id, question, answer, current.get(pk, []), pk in current)
        for pk, public_id, question, answer in rows
    ]


def get_item(*, tagging_round: TaggingRound, public_id: str) -> TaggedItem:
    """Return one item of a round; raises `ItemNotFound`."""
    found = (
        tagging_round.items.select_related(
            "question__project", "candidate", "verdict", "round__tag_set", "proposal"
        )
        .filter(public_id=public_id)
        .first()
    )
    if found is None:
        raise ItemNotFound("This tagging round has no such item.")
    return found


def view_item(*, item: TaggedItem, with_systems: bool = True) -> ItemRead:
    """Return everything a tag on an item rests on; without systems these are None."""
    project, question = item.question.project, item.question_id
    rows = list(item.taggings.select_related("tagged_by").order_by("-number"))
    current = next((row for row in rows if row.is_in_force), None)
    candidates = [item.candidate] if item.candidate else []
    flags = QuestionFlag.objects.filter(question=question).order_by("kind").values_list("kind", flat=True)
    return ItemRead(
        id=item.public_id,
        question=item.question.text,
        answer_id=item.candidate.public_id if item.candidate else None,
        answer=item.candidate.text if item.candidate else None,
        verdict=_verdict(item),
        gold=list(gold_lists(project, amended=False, question_ids=[question])[question]),
        amended_gold=list(gold_lists(project, amended=True, question_ids=[question])[question]),
        label=next(iter(current_labels(candidates).values()), None),
        systems=_systems(item) if with_systems else None,
        flags=list(flags.distinct()),
        proposal=_visible_proposal(item),
        current=_tagging(current) if current else None,
        history=[_tagging(row) for row in rows],
    )


def _verdict(item: TaggedItem) -> ItemVerdict | None:
    verdict = item.verdict
    if verdict is None:
        return None if item.accepted is None else ItemVerdict(item.accepted, None, "")
    return ItemVerdict(item.accepted, verdict.score, verdict.raw_reply)


def _tagging(row: Tagging) -> ItemTagging:
    return ItemTagging(
        row.number,
        row.is_withdrawal,
        row.tags,
        row.is_unattributable,
        row.note,
        row.tagged_by.name,
        row.tagged_at,
    )


def _systems(item: TaggedItem) -> list[str]:
    rows = Prediction.objects.filter(candidate=item.candidate_id, candidate__isnull=False)
    return list(rows.order_by("system_id").values_list("system__label", flat=True))


def _visible_proposal(item: TaggedItem) -> ItemProposal | None:
    """Return the proposal where the round shows it: a hidden one is never seen beside its item."""
    is_shown = item.round.proposals == TaggingRound.Proposals.SHOWN
    made: TagProposal | None = getattr(item, "proposal", None)
    if made is None or not is_shown:
        return None
    return ItemProposal(made.tags, made.reason, made.failure, made.signature)


def find_population(*, project: Project, wanted: Filter) -> list[AnswerFacts]:
    """Return the answers of the judged sample that people decided and for which the filter holds.

    Decided means by people alone: what verdicts settled, or helped to, would show judges beside themselves.
    """
    accepted = _accepted(project, wanted.run)
    golds = gold_entries(questions=project.questions.all()) if wanted.beyond_gold else {}
    credit_of = (
        {label.key: label.credit.value for label in project.protocol.rules.labels} if project.protocol else {}
    )
    rows = _decisions(project, wanted).values_list(
        "candidate_id",
        "candidate__public_id",
        "candidate__question_id",
        "candidate__question__public_id",
        "candidate__text",
        "label",
    )
    answers = (
        AnswerFacts(
            id=pk,
            name=name,
            question=question,
            question_name=question_name,
            credit=credit_of.get(label, ""),
            accepted=accepted.get(pk),
            equals_gold=wanted.beyond_gold and golds[question].has(text),
        )
        for pk, name, question, question_name, text, label in rows
    )
    return [answer for answer in answers if fits(answer, wanted)]


def _decisions(project: Project, wanted: Filter) -> QuerySet[Decision]:
    rows = Decision.objects.in_force().filter(
        candidate__project=project, candidate__question__in_sample=True, candidate__is_judgeable=True
    )
    rows = rows.without_programs().exclude(candidate__question__in=improper_questions(project))
    if wanted.system:
        given = Prediction.objects.filter(system__project=project, system__public_id=wanted.system)
        rows = rows.filter(candidate__in=given.values("candidate_id"))
    if wanted.flag:
        flagged = QuestionFlag.objects.filter(question__project=project, kind=wanted.flag)
        rows = rows.filter(candidate__question__in=flagged.values("question_id"))
    return rows.order_by("candidate_id")


def _accepted(project: Project, run: str) -> Mapping[int, bool]:
    if not run:
        return {}
    rows = Verdict.objects.filter(run__project=project, run__public_id=run, accepted__isnull=False)
    return {pk: bool(accepted) for pk, accepted in rows.values_list("candidate_id", "accepted")}


def choices_of(tagging_round: TaggingRound) -> TagChoices:
    """Return the tags that can be proposed in a round."""
    tags = (TagChoice(tag.key, tag.name, tag.meaning, tag.example) for tag in offered_tags(tagging_round))
    return TagChoices(tagging_round.tag_set.subject, tagging_round.tag_set.several, tuple(tags))


def tag_choices(*, run_id: int) -> TagChoices:
    """Return the tags that a run may propose."""
    return choices_of(round_of(run_id))


def tagged_verdicts(*, run_id: int, candidate_ids: Iterable[int]) -> dict[int, bool | None]:
    """Return by answer the verdict that is tagged; nothing where a round is not about verdicts."""
    items = TaggedItem.objects.filter(
        round__proposer_run=run_id, candidate__in=list(candidate_ids), accepted__isnull=False
    )
    return dict(items.values_list("candidate_id", "accepted"))


def round_of(run_id: int) -> TaggingRound:
    """Return the round in which a run proposes."""
    return TaggingRound.objects.select_related("tag_set", "run").get(proposer_run=run_id)
