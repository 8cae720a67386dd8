"""Put gold answers among the answers that raters judge, where the protocol wants it, and take them out."""

from collections.abc import Iterable, Iterator, Sequence

from django.db import transaction
from django.db.models import Max

from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.items.rules import pool_hash
from annotation.items.selectors import gold_only
from annotation.projects.models import Project
from common.shares import in_shares

State = Candidate.State
# Questions whose answers are in memory together.
SHARE = 200


def renew_gold_among_answers(*, project_id: int) -> None:
    """Make an answer of every gold answer that no system gave, or take out those nobody has begun.

    Gold answers that are pooled with an answer are judged with it, once. Share by share, each in a
    transaction of its own; safe to repeat.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    if project.protocol.rules.gold_among_answers:
        for questions in _shares(project):
            _add_missing(project, questions)
    else:
        untouched = gold_only(project_id=project_id).filter(assignments=None, decisions=None)
        ids = list(untouched.order_by("pk").values_list("pk", flat=True))
        for share in in_shares(ids, of=SHARE):
            with transaction.atomic():
                # Asked again: a rater may have been handed one meanwhile.
                left = untouched.filter(pk__in=share)
                Candidate.objects.filter(pk__in=list(left.values_list("pk", flat=True))).delete()


def _add_missing(project: Project, questions: Sequence[Question]) -> None:
    # Most shares lack nothing, and only writing takes the lock.
    if next(_missing(project, questions), None) is not None:
        with transaction.atomic():
            Candidate.objects.bulk_create(list(_missing(project, questions)), ignore_conflicts=True)


def count_gold_to_join(*, project: Project) -> int:
    """Return how many answers putting gold answers among the answers of the sample would add."""
    return sum(
        candidate.state == State.OPEN
        for questions in _shares(project)
        for candidate in _missing(project, questions)
    )


def _shares(project: Project) -> Iterator[Sequence[Question]]:
    return in_shares(list(Question.objects.filter(project=project).order_by("pk")), of=SHARE)


def _missing(project: Project, questions: Sequence[Question]) -> Iterator[Candidate]:
    assert project.protocol is not None
    raters = project.protocol.rules.raters_per_answer
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
