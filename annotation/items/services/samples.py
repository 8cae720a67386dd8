"""Draw the questions to judge, open their answers to raters, and put gold answers among these."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Greatest

from annotation.items import selectors
from annotation.items.events import ItemsChanged, SampleChosen
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.ports import judged_questions
from annotation.items.rules import draw, key_of_question, pool_hash, text_hash
from annotation.items.selectors import Sample, gold_only
from annotation.projects.models import Project
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep
from common.database.rows import in_chunks
from common.errors import Invalid

State = Candidate.State


def open_answers(*, data_import: DataImport, after_each: Callable[[], None]) -> None:
    """Open what an import brought in for judging, in chunks of their own transactions."""
    waiting = _waiting(data_import.project).filter(data_import=data_import)
    _open(waiting, data_import.project, after_each)


def open_sampled_answers(*, project: Project) -> None:
    """Open every answer of the sample that waits to be judged."""
    _open(_waiting(project), project, lambda: None)


def open_again(*, candidate_ids: Collection[int], project: Project) -> None:
    """Open those of these answers that are in the sample; the caller holds the locks of their questions."""
    assert project.protocol is not None
    raters = project.raters_at_first
    # By key, as an UPDATE cannot look at other tables and at what it writes at once.
    ids = list(_waiting(project).filter(pk__in=candidate_ids).values_list("pk", flat=True))
    Candidate.objects.filter(pk__in=ids).update(state=State.OPEN, wanted=Greatest("taken", raters))


def close_unsampled_answers(*, project: Project) -> None:
    """Close every open answer outside the sample; votes already given are kept, and so are decisions."""
    outside = Candidate.objects.filter(project=project, state=State.OPEN, question__in_sample=False)
    for ids in in_chunks(list(outside.order_by("pk").values_list("pk", flat=True))):
        # Asked again: what was open may be decided by now, or in the sample.
        outside.filter(pk__in=ids).update(state=State.UNASKED, wanted=F("taken"))


def _waiting(project: Project) -> QuerySet[Candidate]:
    return Candidate.objects.filter(
        project=project, state=State.UNASKED, is_judgeable=True, question__in_sample=True
    )


def _open(waiting: QuerySet[Candidate], project: Project, after_each: Callable[[], None]) -> None:
    assert project.protocol is not None
    raters = project.raters_at_first
    for ids in in_chunks(list(waiting.order_by("pk").values_list("pk", flat=True))):
        with transaction.atomic():
            after_each()
            Candidate.objects.filter(pk__in=ids, state=State.UNASKED).update(
                state=State.OPEN, wanted=Greatest("taken", raters)
            )


Method = Project.SampleMethod
NOTHING_COMMON = "No question is answered by every system. Choose the questions in another way."
NO_SUCH_PART = "No question matches this data set and tag. Choose others."


class UnusableSample(Invalid):
    """The sample cannot be drawn this way."""


def set_sample(
    *,
    project: Project,
    method: str,
    size: int | None = None,
    seed: int | None = None,
    dataset: str = "",
    tag: str = "",
    common: bool = False,
    questions: Iterable[str] = (),
) -> Sample:
    """Choose the questions that people judge; the others' answers are closed, and opened when they come in.

    The choice is written down at once, and carried through in chunks, by the sweeper where this process dies
    over it.

    method: "all"; "common" takes those that every system answered by now; "seed" draws `size` questions by
    `seed`, of a data set, a tag or both where they are named, and of those every system answered if `common`;
    "filter" takes all of these; "questions" takes
    the questions named by text or id; "votes" those people have judged by now. Raises `UnusableSample`.
    """
    chosen = _choose(
        project,
        method,
        size=size,
        seed=seed,
        dataset=dataset,
        tag=tag,
        common=common,
        questions=questions,
    )
    known = set(_samplable(project).values_list("pk", flat=True))
    # What is drawn of a part says nothing of the rest, so its probabilities are none of the project's.
    is_of_all = method == Method.SEED and not dataset and not tag and not common
    strata = [(sorted(known), len(chosen) / len(known))] if is_of_all else []
    options = _options(method, size=size, seed=seed, dataset=dataset, tag=tag, common=common)
    return _take(project, chosen, method=method, options=options, strata=strata)


class Stratum(NamedTuple):
    """Questions by id that are drawn alike, so many of them, those that are `taken` already among these."""

    questions: Sequence[int]
    size: int
    taken: Collection[int] = ()


def draw_strata(
    *, project: Project, strata: Sequence[Stratum], seed: int, options: Mapping[str, object]
) -> Sample:
    """Draw the questions that people judge part by part, each with a probability that is written down.

    Every question that could be drawn is in one of the strata. What was taken already by chance stays, and
    the rest is drawn by the seed, so that each question of a part is as likely as any other of it. options:
    what is to be known of the draw besides its size and seed. Raises `UnusableSample`.
    """
    ids = dict(_samplable(project).values_list("pk", "key_hash"))
    listed = [pk for stratum in strata for pk in stratum.questions]
    if len(listed) != len(set(listed)) or set(listed) != set(ids):
        raise UnusableSample("The project’s questions have changed in the meantime. Plan the sample again.")
    chosen: set[int] = set()
    for stratum in strata:
        if not len(stratum.taken) <= stratum.size <= len(stratum.questions):
            raise UnusableSample(
                "The project has fewer questions than the sample needs. Choose a smaller number."
            )
        rest = {ids[pk]: pk for pk in stratum.questions if pk not in set(stratum.taken)}
        drawn = draw(keys=rest, size=stratum.size - len(stratum.taken), seed=seed)
        chosen |= {*stratum.taken, *(rest[key] for key in drawn)}
    if not chosen:
        raise UnusableSample("The sample must contain at least one question.")
    return _take(
        project,
        chosen,
        method=Method.STRATA,
        options={"size": len(chosen), "seed": seed, **options},
        strata=[(list(each.questions), each.size / len(each.questions)) for each in strata if each.questions],
    )


def _take(
    project: Project,
    chosen: Collection[int],
    *,
    method: str,
    options: dict[str, object],
    strata: Sequence[tuple[Sequence[int], float]],
) -> Sample:
    known = set(project.questions.values_list("pk", flat=True))
    with transaction.atomic():
        project.sample_method = method
        project.sample_options = options
        project.save(update_fields=["sample_method", "sample_options"])
        _ask_marks(project, entering=chosen, leaving=known.difference(chosen), strata=strata)
    do_upkeep(project_id=project.pk)
    return selectors.get_sample(project=project)


def _ask_marks(
    project: Project,
    *,
    entering: Collection[int],
    leaving: Collection[int],
    strata: Sequence[tuple[Sequence[int], float]],
) -> None:
    # Questions that come in meanwhile are in neither list, and stay as their import marked them.
    ask_upkeep(
        SampleChosen(project_id=project.pk, entering=sorted(entering), leaving=sorted(leaving), strata=strata)
    )
    ask_upkeep(ItemsChanged(project_id=project.pk))


def mark_sample(
    *,
    project_id: int,
    entering: Sequence[int],
    leaving: Sequence[int],
    strata: Sequence[tuple[Sequence[int], float]] = (),
) -> None:
    """Mark the questions of a sample that was chosen, and close and open answers accordingly.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    _forget_draw(project)
    for ids, is_in in ((leaving, False), (entering, True)):
        stale = Question.objects.filter(project=project, in_sample=not is_in)
        # What served for practice meanwhile stays out.
        stale = stale.filter(is_left_out=False) if is_in else stale
        changed = set(stale.values_list("pk", flat=True))
        for chunk in in_chunks([pk for pk in ids if pk in changed]):
            stale.filter(pk__in=chunk).update(in_sample=is_in)
    drawn = set(entering)
    for number, (ids, probability) in enumerate(strata):
        for chunk in in_chunks(ids):
            known = Question.objects.filter(project=project, is_left_out=False, pk__in=chunk)
            known.update(sample_stratum=number)
            taken = [pk for pk in chunk if pk in drawn]
            known.filter(pk__in=taken, in_sample=True).update(sample_probability=probability)
    close_unsampled_answers(project=project)
    open_sampled_answers(project=project)


def _forget_draw(project: Project) -> None:
    """Forget how the last sample was drawn: probabilities of another one would be wrong."""
    recorded = project.questions.filter(sample_stratum__isnull=False)
    for chunk in in_chunks(list(recorded.order_by("pk").values_list("pk", flat=True))):
        recorded.filter(pk__in=chunk).update(sample_stratum=None, sample_probability=None)


def _choose(
    project: Project,
    method: str,
    *,
    size: int | None,
    seed: int | None,
    dataset: str,
    tag: str,
    common: bool,
    questions: Iterable[str],
) -> set[int]:
    known = _samplable(project)
    if method == Method.ALL:
        return set(known.values_list("pk", flat=True))
    if method == Method.COMMON:
        return _common(project)
    if method == Method.SEED:
        return _drawn(project, size=size, seed=seed, dataset=dataset, tag=tag, common=common)
    if method == Method.FILTER:
        return _filtered(project, dataset=dataset, tag=tag)
    if method == Method.QUESTIONS:
        return _named(project, list(questions))
    if method == Method.VOTES:
        return _voted(project)
    ways = ", ".join(each for each in Method.values if each != Method.STRATA)
    raise UnusableSample(f"“{method}” is not a sampling method. Use one of: {ways}.")


def _common(project: Project) -> set[int]:
    chosen = set(selectors.common_questions(project=project).values_list("pk", flat=True))
    if not chosen:
        raise UnusableSample(NOTHING_COMMON)
    return chosen


def _drawn(
    project: Project, *, size: int | None, seed: int | None, dataset: str, tag: str, common: bool
) -> set[int]:
    ids = dict(_part(_drawable(project, common=common), dataset=dataset, tag=tag))
    if not ids:
        raise UnusableSample(NO_SUCH_PART if dataset or tag else NOTHING_COMMON)
    if size is None or not 1 <= size <= len(ids):
        raise UnusableSample(f"The sample must contain between 1 and {len(ids):,} questions.")
    seed = project.seed if seed is None else seed
    return {ids[key] for key in draw(keys=ids, size=size, seed=seed)}


def _filtered(project: Project, *, dataset: str, tag: str) -> set[int]:
    if not dataset and not tag:
        raise UnusableSample("Name a data set, a tag, or both.")
    chosen = {pk for _, pk in _part(_samplable(project), dataset=dataset, tag=tag)}
    if not chosen:
        raise UnusableSample(NO_SUCH_PART)
    return chosen


def _part(questions: QuerySet[Question], *, dataset: str, tag: str) -> Iterator[tuple[str, int]]:
    """Yield key's hash and id of those of a data set, a tag or both; of all where neither is named."""
    # In Python, since SQLite cannot look into JSON lists.
    for key, pk, name, tags in questions.values_list("key_hash", "pk", "dataset", "tags"):
        if dataset in ("", name) and (not tag or tag in tags):
            yield key, pk


def _voted(project: Project) -> set[int]:
    judged = judged_questions(project=project)
    chosen = set(_samplable(project).filter(pk__in=judged).values_list("pk", flat=True))
    if not chosen:
        raise UnusableSample("No question has votes or decisions yet. Choose the questions in another way.")
    return chosen


def _named(project: Project, questions: list[str]) -> set[int]:
    ids = dict(_samplable(project).values_list("key_hash", "pk"))
    by_external_id = dict(
        _samplable(project).exclude(external_id="").order_by("-pk").values_list("external_id", "pk")
    )
    chosen: set[int] = set()
    for question in questions:
        found = ids.get(text_hash(key_of_question(text=question))) or by_external_id.get(question)
        if found is None:
            raise UnusableSample(f"This project has no question “{question[:80]}” that can be in the sample.")
        chosen.add(found)
    if not chosen:
        raise UnusableSample("Name at least one question.")
    return chosen


@transaction.atomic
def leave_out(*, project: Project, question_ids: Collection[int]) -> None:
    """Take questions out of the sample for good: they served for practice; the caller does the upkeep.

    A sample drawn by seed keeps its size: the questions that come next by the same seed take their places, as
    likely as those they follow.
    """
    leaving = Question.objects.filter(project=project, pk__in=question_ids)
    places = leaving.filter(in_sample=True).count()
    leaving.update(in_sample=False, is_left_out=True, sample_stratum=None, sample_probability=None)
    if project.sample_method == Method.SEED:
        _fill_places(project, places)
    close_unsampled_answers(project=project)
    open_sampled_answers(project=project)
    ask_upkeep(ItemsChanged(project_id=project.pk))


def _fill_places(project: Project, places: int) -> None:
    # Those in the sample stay, whatever was imported since it was drawn.
    options = project.sample_options
    part = {name: str(options.get(name, "")) for name in ("dataset", "tag")}
    drawable = _drawable(project, common=bool(options.get("common")))
    outside = dict(_part(drawable.filter(in_sample=False), **part))
    seed = options.get("seed")
    seed = project.seed if seed is None else seed
    chosen = [outside[key] for key in draw(keys=outside, size=places, seed=seed)]
    Question.objects.filter(pk__in=chosen).update(in_sample=True)
    recorded = project.questions.filter(sample_stratum__isnull=False)
    if known := recorded.count():
        likely = recorded.filter(Q(sample_probability__isnull=False) | Q(pk__in=chosen))
        likely.update(sample_probability=likely.count() / known)


def _samplable(project: Project) -> QuerySet[Question]:
    return project.questions.filter(is_left_out=False).order_by("pk")


def _drawable(project: Project, *, common: bool) -> QuerySet[Question]:
    return selectors.common_questions(project=project) if common else _samplable(project)


def _options(method: str, **options: object) -> dict[str, object]:
    wanted = {Method.SEED.value: ("size", "seed"), Method.FILTER.value: ("dataset", "tag")}.get(method, ())
    told = {name: options[name] for name in wanted}
    # A sample of all is named as it always was.
    part = ("dataset", "tag", "common") if method == Method.SEED else ()
    return told | {name: options[name] for name in part if options[name]}


def renew_gold_among_answers(*, project_id: int) -> None:
    """Make an answer of every gold answer that no system gave, or take out those nobody has begun.

    Gold answers that are pooled with an answer are judged with it, once. Chunk by chunk, each in a
    transaction of its own; safe to repeat.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    if project.protocol.rules.gold_among_answers:
        for questions in in_chunks(list(project.questions.order_by("pk"))):
            _add_missing(project, questions)
    else:
        untouched = gold_only(project_id=project_id).filter(assignments=None, decisions=None)
        ids = list(untouched.order_by("pk").values_list("pk", flat=True))
        for chunk in in_chunks(ids):
            with transaction.atomic():
                # Asked again: a rater may have been handed one meanwhile.
                left = untouched.filter(pk__in=chunk)
                Candidate.objects.filter(pk__in=list(left.values_list("pk", flat=True))).delete()


def _add_missing(project: Project, questions: Sequence[Question]) -> None:
    # Most chunks lack nothing, and only writing takes the lock.
    if next(_missing(project, questions), None) is not None:
        with transaction.atomic():
            Candidate.objects.bulk_create(list(_missing(project, questions)), ignore_conflicts=True)


def count_gold_to_join(*, project: Project) -> int:
    """Return how many answers putting gold answers among the answers of the sample would add."""
    return sum(
        candidate.state == State.OPEN
        for questions in in_chunks(list(project.questions.order_by("pk")))
        for candidate in _missing(project, questions)
    )


def _missing(project: Project, questions: Sequence[Question]) -> Iterator[Candidate]:
    assert project.protocol is not None
    raters = project.raters_at_first
    by_id = {question.pk: question for question in questions}
    known = Candidate.objects.filter(question__in=by_id)
    seen = set(known.values_list("question_id", "pool_hash"))
    places = known.order_by().values_list("question_id").annotate(last=Max("position"))
    last = dict(places)
    for gold in _golds(by_id):
        hashed = pool_hash(gold.text, pooling=project.pooling)
        if not gold.text.strip() or (gold.question_id, hashed) in seen:
            continue
        seen.add((gold.question_id, hashed))
        last[gold.question_id] = last.get(gold.question_id, -1) + 1
        is_asked = by_id[gold.question_id].in_sample
        yield Candidate(
            question_id=gold.question_id,
            project=project,
            data_import_id=gold.data_import_id,
            text=gold.text,
            pool_hash=hashed,
            position=last[gold.question_id],
            from_gold=True,
            state=State.OPEN if is_asked else State.UNASKED,
            wanted=raters if is_asked else 0,
        )


def _golds(question_ids: Iterable[int]) -> Iterable[GoldAnswer]:
    strings = GoldAnswer.objects.filter(question__in=list(question_ids), kind=GoldAnswer.Kind.STRING)
    return strings.order_by("question", "position", "pk")
