"""What a policy would do, and what it would have done on answers that people have decided."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from analysis.intervals import Figure, Why
from analysis.sampling import bound_ratios
from annotation.adjudication.selectors.dossier import free_for_machines
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.database.rows import batched
from judges.prejudging.rules.audit import draw_of, sample_key
from judges.prejudging.rules.policies import Rule
from judges.prejudging.selectors.policies import (
    FoundAnswer,
    RuleVerdict,
    apply_rules,
    decided_by_people,
    differs,
    find_answers,
    labels_of,
    open_question_ids,
    people_labels,
    read_judge_names,
    seed_to_come,
    spell_rules,
)

QUESTIONS_AT_ONCE = 500
SAMPLES_A_RULE = 10


@dataclass(frozen=True)
class PreviewAnswer:
    """One of the answers that a rule would settle."""

    id: str
    question: str
    answer: str
    label: str
    verdicts: list[RuleVerdict]


@dataclass(frozen=True)
class BesidePeople:
    """How a rule would have settled the answers that people decided.

    `settled`: the number of these answers that the rule would have settled. `wrong`: the number of those that
    it would have decided differently. `share`: `wrong` divided by `settled`, with its 95% interval, clustered
    by question.
    """

    settled: int
    wrong: int
    share: Figure


@dataclass(frozen=True)
class PreviewRule:
    """What one rule would do: settle answers, and send some to annotators for the audit.

    `decided`: the number of answers it would settle. `drawn`: the number it would send to annotators.
    `sample`: a random selection of both. `beside_people`: the rule compared with people, on answers that no
    earlier rule covers.
    """

    number: int
    text: str
    decided: int
    drawn: int
    sample: list[PreviewAnswer]
    beside_people: BesidePeople


@dataclass(frozen=True)
class Preview:
    """What a policy would do with the answers nobody has voted on yet, `open`.

    to_people: answers that raters still judge afterwards, those drawn for the audit included. by_people:
    answers that people have decided, on which the rules were tried. accepted: of those decided, how many
    would count as correct, so that the gold list takes them up.
    """

    rules: list[PreviewRule]
    open: int
    decided: int
    drawn: int
    to_people: int
    by_people: int
    accepted: int


class Effect(NamedTuple):
    """What a policy would do with one open answer: settle it, or audit it if `draw` is below the share."""

    candidate_id: int
    rule: int
    is_accepted: bool
    draw: float


class Trial(NamedTuple):
    """An answer that people decided and a rule would have settled, and whether otherwise than they."""

    candidate_id: int
    rule: int
    is_wrong: bool


class Previewed(NamedTuple):
    """A preview, with each answer that it counts."""

    preview: Preview
    effects: list[Effect]
    trials: list[Trial]


def preview_rules(
    *, project: Project, rules: Sequence[Rule], audit_share: float, seed: int, sample: int = 1
) -> Previewed:
    """Return what applying these rules now would do.

    seed: the policy's. sample: which of the random samples of answers is shown, from 1; the same again shows
    the same.
    """
    seed = seed_to_come(project=project, rules=rules, audit_share=audit_share, seed=seed)
    shown: dict[int, list[FoundAnswer]] = {number: [] for number in range(1, len(rules) + 1)}
    effects = list[Effect]()
    for chunk in batched(open_question_ids(project_id=project.pk), QUESTIONS_AT_ONCE):
        fresh: dict[int, list[FoundAnswer]] = defaultdict(list)
        for answer in find_answers(project=project, rules=rules, question_ids=chunk):
            draw = draw_of(seed=seed, name=answer.name)
            effects.append(Effect(answer.candidate_id, *answer.finding, draw))
            fresh[answer.finding.rule].append(answer)
        for number, answers in fresh.items():
            shown[number] = draw_shown(shown[number] + answers, seed=seed, sample=sample)
    spelled = spell_rules(project=project, rules=rules)
    samples = _describe(project, [answer for answers in shown.values() for answer in answers])
    tried = try_on_decided(project=project, rules=rules)
    decided = Counter(effect.rule for effect in effects if effect.draw >= audit_share)
    drawn = Counter(effect.rule for effect in effects if effect.draw < audit_share)
    rows = [
        PreviewRule(
            number=number,
            text=spelled[number - 1]["text"],
            decided=decided[number],
            drawn=drawn[number],
            sample=[samples[answer.candidate_id] for answer in answers],
            beside_people=tried.rules[number - 1],
        )
        for number, answers in shown.items()
    ]
    is_open = free_for_machines(project_id=project.pk).count()
    preview = Preview(
        rules=rows,
        open=is_open,
        decided=decided.total(),
        drawn=drawn.total(),
        to_people=is_open - decided.total(),
        by_people=tried.by_people,
        accepted=sum(effect.is_accepted and effect.draw >= audit_share for effect in effects),
    )
    return Previewed(preview, effects, tried.trials)


def draw_shown(answers: list[FoundAnswer], *, seed: int, sample: int) -> list[FoundAnswer]:
    """Return some of these answers at random: of some of them and further ones, as of all at once."""
    return nsmallest(
        SAMPLES_A_RULE, answers, key=lambda each: sample_key(seed=seed, sample=sample, name=each.name)
    )


class Tried(NamedTuple):
    """What rules would have settled of the answers that people decided, of which there are `by_people`."""

    rules: list[BesidePeople]
    by_people: int
    trials: list[Trial]


def try_on_decided(*, project: Project, rules: Sequence[Rule]) -> Tried:
    """Return what each rule would have settled of what people decided.

    What people and the rule say of the same answers is compared; nothing is stored.
    """
    labels, machine = people_labels(project=project), labels_of(project)
    answers = decided_by_people(project=project)
    questions = answers.order_by("question_id").values_list("question_id", flat=True).distinct()
    settled, wrong = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    trials = list[Trial]()
    for chunk in batched(questions, QUESTIONS_AT_ONCE):
        for answer in apply_rules(project=project, rules=rules, answers=answers, question_ids=chunk):
            place = (answer.question_id, answer.finding.rule)
            label = machine[answer.finding.is_accepted]
            is_wrong = differs(project, label, labels[answer.candidate_id])
            settled[place] += 1
            wrong[place] += is_wrong
            trials.append(Trial(answer.candidate_id, answer.finding.rule, is_wrong))
    found = [_beside_people(settled, wrong, number) for number in range(1, len(rules) + 1)]
    return Tried(found, len(labels), trials)


def _beside_people(
    settled: Counter[tuple[int, int]], wrong: Counter[tuple[int, int]], number: int
) -> BesidePeople:
    """Of one rule; counts are by question and rule, as answers to one question are alike."""
    places = [place for place in settled if place[1] == number]
    wholes = np.array([settled[place] for place in places], dtype=np.float64)
    parts = np.array([wrong[place] for place in places], dtype=np.float64)
    if not places:
        return BesidePeople(0, 0, Figure(None, why=Why.NOTHING_DECIDED))
    (interval,) = bound_ratios(parts=parts[:, np.newaxis], wholes=wholes[:, np.newaxis])
    share = float(parts.sum() / wholes.sum())
    return BesidePeople(int(wholes.sum()), int(parts.sum()), Figure.of(share, interval))


def _describe(project: Project, answers: list[FoundAnswer]) -> dict[int, PreviewAnswer]:
    labels = labels_of(project)
    rows = Candidate.objects.select_related("question").in_bulk([answer.candidate_id for answer in answers])
    names = read_judge_names(project)
    return {
        answer.candidate_id: PreviewAnswer(
            id=rows[answer.candidate_id].public_id,
            question=rows[answer.candidate_id].question.text,
            answer=rows[answer.candidate_id].text,
            label=labels[answer.finding.is_accepted],
            verdicts=[RuleVerdict(names[each.run], each.accepted, each.score) for each in answer.verdicts],
        )
        for answer in answers
    }
