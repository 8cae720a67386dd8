"""Read rounds with their progress, and who may tag in them."""

from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet

from annotation.projects.models import Membership, Project
from common.errors import NotFound
from judges import registry
from judges.runs.models import JudgeRun
from judges.tagging.models import Tagging, TaggingRound, TagProposal
from judges.tagging.rules import (
    Comparison,
    JudgeKind,
    Results,
    Subject,
    Tag,
    TagPair,
    compare_tags,
    count_tags,
)

TAGGING_ROLES = (Membership.Role.LEAD, Membership.Role.ADJUDICATOR)


class RoundNotFound(NotFound):
    """The project has no such round."""

    code = "tagging_round_not_found"


@dataclass(frozen=True)
class TaggableRun:
    """A run whose verdicts a round may be about."""

    id: str
    name: str
    signature: str


class RoundView(NamedTuple):
    """A round with its progress; for how many items something was proposed, or could not be, and by what."""

    round: TaggingRound
    total: int
    done: int
    proposed: int
    not_proposed: int
    proposed_by: str


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
    named = list(tagging_round.named.values_list("member_id", flat=True))
    return member.role in TAGGING_ROLES and (not named or member.pk in named)


def list_rounds(*, project: Project) -> list[RoundView]:
    """Return the project's rounds, newest first."""
    return [describe_round(each) for each in _rounds(project).order_by("-created_at", "-pk")]


def get_round(*, project: Project, public_id: str) -> TaggingRound:
    """Return one round; raises `RoundNotFound`."""
    found = _rounds(project).filter(public_id=public_id).first()
    if found is None:
        raise RoundNotFound("This project has no such tagging round.")
    return found


def _rounds(project: Project) -> QuerySet[TaggingRound]:
    return TaggingRound.objects.filter(project=project).select_related(
        "tag_set", "run", "proposer_run", "created_by", "project"
    )


def describe_round(tagging_round: TaggingRound) -> RoundView:
    """Return a round with its progress."""
    total = tagging_round.items.count()
    done = Tagging.objects.in_force().filter(item__round=tagging_round).count()
    proposals = TagProposal.objects.filter(item__round=tagging_round).order_by("pk")
    made = list(proposals.values_list("signature", "failure"))
    failed = sum(bool(failure) for _, failure in made)
    return RoundView(
        round=tagging_round,
        total=total,
        done=done,
        proposed=len(made) - failed,
        not_proposed=failed,
        proposed_by=made[0][0] if made else "",
    )


def view_comparison(*, view: RoundView, member: Membership) -> Comparison | None:
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


def read_results(tagging_round: TaggingRound) -> Results:
    """Return how often people said each tag, over the items somebody has tagged."""
    current = Tagging.objects.in_force().filter(item__round=tagging_round)
    rows = list(current.order_by("item__position").values_list("tags", "is_unattributable"))
    return count_tags(
        said=[frozenset(tags) for tags, _ in rows],
        unattributable=sum(is_unattributable for _, is_unattributable in rows),
        offered=offered_tags(tagging_round),
    )
