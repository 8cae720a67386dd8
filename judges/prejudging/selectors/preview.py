"""Read what a policy would do, changing nothing."""

from collections.abc import Sequence
from typing import NamedTuple

from annotation.adjudication.selectors import free_for_machines
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.database.chunks import batched
from judges.prejudging.rules import Rule, is_drawn
from judges.prejudging.selectors.findings import FoundAnswer, find_answers, open_question_ids
from judges.prejudging.selectors.policies import labels_of, seed_to_come, spell_rules
from judges.registry import display_name
from judges.runs.models import JudgeRun

QUESTIONS_AT_ONCE = 500
SAMPLES_A_RULE = 5


class SampleAnswer(NamedTuple):
    """One of the answers that a rule would settle; `verdicts`: (judge, accepted) pairs."""

    id: str
    question: str
    answer: str
    label: str
    verdicts: list[tuple[str, bool]]


class PreviewRow(NamedTuple):
    """What one rule would do: decide answers, and send some on to raters for the audit."""

    number: int
    text: str
    decided: int
    drawn: int
    sample: list[SampleAnswer]


class Preview(NamedTuple):
    """What a policy would do with the answers nobody has voted on yet, `open`.

    to_people: answers that raters still judge afterwards, those drawn for the audit included.
    """

    rules: list[PreviewRow]
    open: int
    decided: int
    drawn: int
    to_people: int


def preview_rules(*, project: Project, rules: Sequence[Rule], audit_share: float, seed: int) -> Preview:
    """Return what applying these rules now would do; seed: the policy's."""
    seed = seed_to_come(project=project, rules=rules, audit_share=audit_share, seed=seed)
    found: dict[int, list[FoundAnswer]] = {number: [] for number in range(1, len(rules) + 1)}
    drawn = dict.fromkeys(found, 0)
    count = dict.fromkeys(found, 0)
    ids = open_question_ids(project_id=project.pk)
    for chunk in batched(ids, QUESTIONS_AT_ONCE):
        for answer in find_answers(project=project, rules=rules, question_ids=chunk):
            number = answer.finding.rule
            count[number] += 1
            drawn[number] += is_drawn(seed=seed, name=answer.name, share=audit_share)
            if len(found[number]) < SAMPLES_A_RULE:
                found[number].append(answer)
    spelled = spell_rules(project=project, rules=rules)
    samples = _describe(project, [answer for answers in found.values() for answer in answers])
    rows = [
        PreviewRow(
            number=number,
            text=spelled[number - 1]["text"],
            decided=count[number] - drawn[number],
            drawn=drawn[number],
            sample=[samples[answer.candidate_id] for answer in answers],
        )
        for number, answers in found.items()
    ]
    is_open = free_for_machines(project_id=project.pk).count()
    decided, all_drawn = sum(row.decided for row in rows), sum(row.drawn for row in rows)
    return Preview(rows, is_open, decided, all_drawn, is_open - decided)


def _describe(project: Project, answers: list[FoundAnswer]) -> dict[int, SampleAnswer]:
    labels = labels_of(project)
    rows = Candidate.objects.select_related("question").in_bulk([answer.candidate_id for answer in answers])
    runs = JudgeRun.objects.filter(project=project).order_by("pk").values_list("public_id", "judge_key")
    names = {public_id: display_name(key) for public_id, key in runs}
    return {
        answer.candidate_id: SampleAnswer(
            id=rows[answer.candidate_id].public_id,
            question=rows[answer.candidate_id].question.text,
            answer=rows[answer.candidate_id].text,
            label=labels[answer.finding.is_accepted],
            verdicts=[(names[verdict.run], verdict.accepted) for verdict in answer.verdicts],
        )
        for answer in answers
    }
