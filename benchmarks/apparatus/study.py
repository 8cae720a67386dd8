"""A large study of random votes and verdicts, straight into the tables; import it once Django is set up."""

import random
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

from django.db.models import Model

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment, Sheet
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import add_member
from benchmarks.apparatus.databases import start_study
from common.clock import now
from judges.runs.models import JudgeRun, Verdict
from judges.tagging.models import Tagging
from judges.tagging.rules.rounds import Filter, People, Said
from judges.tagging.services import start_round

QUESTIONS = 10_000
ANSWERS_A_QUESTION = 10
SYSTEMS = 12
RATERS = 3
# How often each judge says what people say; the last two ask one model in two ways.
JUDGES = (
    ("exact_match", "", 0.75),
    ("token_f1", "", 0.78),
    ("containment", "", 0.83),
    ("bem", "", 0.86),
    ("llm", "prompt:direct@1", 0.88),
    ("llm", "prompt:reasoned@1", 0.9),
)
DATASETS = ("nq", "tq")
TAGS = ("dates", "people", "places")
SEED = 5
# Of each tagging round.
TAGGED_ITEMS = 500
TAGS_SEED = 7
BATCH = 5_000

Row = TypeVar("Row", bound=Model)


def make_study() -> None:
    """Make a study of 100,000 answers, three raters, six judges and twelve systems."""
    fill_study(start_study("Large study", slug="large"))


def fill_study(project: Project) -> None:
    """Fill a project with answers, votes, verdicts and tags."""
    fill_with_verdicts(project, QUESTIONS)
    _tag_study(project)


def fill_with_verdicts(project: Project, question_count: int) -> None:
    """Fill a project with so many questions, ten answers each, votes and verdicts."""
    draw = random.Random(SEED)
    candidates, right = make_votes(project, question_count, draw)
    for key, stated, accuracy in JUDGES:
        run = _run(project, key, stated)
        _verdicts(run, candidates, right, accuracy=accuracy, draw=draw)


def make_votes(
    project: Project, question_count: int, draw: random.Random
) -> tuple[list[Candidate], list[bool]]:
    """Fill a project with questions, ten answers each and a vote of three raters on each; return the answers.

    And which of them are right.
    """
    source = DataImport.objects.create(
        project=project, created_by=project.created_by, created_at=now(), applied_at=now()
    )
    systems = System.objects.bulk_create(
        System(project=project, data_import=source, name=f"system-{place}", label=f"System {place}")
        for place in range(SYSTEMS)
    )
    questions = add_questions(project, source, question_count)
    candidates = add_answers(project, source, questions, answers_a_question=ANSWERS_A_QUESTION)
    right = [draw.random() < 0.6 for _ in candidates]
    _predictions(source, systems, candidates, draw)
    members = list(_raters(project))
    _votes(project, questions, candidates, right, members, draw)
    decide(candidates, right)
    return candidates, right


def _insert(rows: Iterable[Row]) -> list[Row]:
    """Insert rows of one table, of which there is at least one."""
    left = iter(rows)
    first = next(left)
    return type(first)._default_manager.bulk_create(chain([first], left), batch_size=BATCH)


def add_questions(project: Project, source: DataImport, count: int) -> list[Question]:
    """Add so many questions with two gold answers each."""
    questions = _insert(
        Question(
            project=project,
            data_import=source,
            key=str(place),
            key_hash=str(place),
            dataset=DATASETS[place % len(DATASETS)],
            tags=[TAGS[place % len(TAGS)]],
            text=f"{('who', 'when', 'where', 'what', 'how many')[place % 5]} is number {place}",
            position=place,
        )
        for place in range(count)
    )
    _insert(
        GoldAnswer(question=question, data_import=source, text=text, position=position)
        for question in questions
        for position, text in enumerate((f"Answer 0 of {question.key}", f"The {question.key}th"))
    )
    return questions


def add_answers(
    project: Project,
    source: DataImport,
    questions: list[Question],
    *,
    answers_a_question: int,
) -> list[Candidate]:
    """Give every question so many answers, which people have decided."""
    return _insert(
        Candidate(
            project=project,
            question=question,
            data_import=source,
            text=f"Answer {place} of {question.key}" + ", as everybody knows" * (place % 4),
            pool_hash=str(place),
            position=place,
            state="decided",
            wanted=RATERS,
            taken=RATERS,
        )
        for question in questions
        for place in range(answers_a_question)
    )


def _predictions(
    source: DataImport,
    systems: list[System],
    candidates: list[Candidate],
    draw: random.Random,
) -> None:
    def rows() -> Iterator[Prediction]:
        for first in range(0, len(candidates), ANSWERS_A_QUESTION):
            for place, system in enumerate(systems):
                # Every answer is somebody's; the systems beyond give one of them again.
                own = place if place < ANSWERS_A_QUESTION else draw.randrange(ANSWERS_A_QUESTION)
                candidate = candidates[first + own]
                yield Prediction(
                    system=system,
                    question_id=candidate.question_id,
                    candidate=candidate,
                    data_import=source,
                    text=candidate.text,
                )

    _insert(rows())


def _raters(project: Project) -> Iterator[Membership]:
    for place in range(RATERS):
        user = User.objects.create_user(username=f"rater-{place}")
        yield add_member(project=project, user=user, role="annotator")


def _votes(
    project: Project,
    questions: list[Question],
    candidates: list[Candidate],
    right: list[bool],
    members: list[Membership],
    draw: random.Random,
) -> None:
    for slot, rater in enumerate(members, start=1):
        sheets = _sheets(project, questions, rater)
        slots = _slots(sheets, candidates, rater, slot=slot)
        labels = ["correct" if is_right != (draw.random() < 0.1) else "incorrect" for is_right in right]
        _judgments(project, slots, labels)


def _sheets(project: Project, questions: list[Question], rater: Membership) -> list[Sheet]:
    moment = now()
    return _insert(
        Sheet(
            project=project,
            question=question,
            rater=rater,
            protocol_version=project.protocol,
            state="submitted",
            handed_out_at=moment,
            lease_expires_at=moment,
            closed_at=moment,
            seconds=30,
        )
        for question in questions
    )


def _slots(
    sheets: list[Sheet], candidates: list[Candidate], rater: Membership, *, slot: int
) -> list[Assignment]:
    return _insert(
        Assignment(
            sheet=sheets[place // ANSWERS_A_QUESTION],
            candidate=candidate,
            rater=rater,
            slot=slot,
            round="first" if slot < RATERS else "tie_break",
            state="done",
        )
        for place, candidate in enumerate(candidates)
    )


def _judgments(project: Project, slots: list[Assignment], labels: list[str]) -> None:
    moment = now()
    judgments = _insert(
        Judgment(
            assignment=slot,
            candidate_id=slot.candidate_id,
            rater_id=slot.rater_id,
            slot=slot.slot,
            round=slot.round,
            label=label,
            judged_at=moment,
        )
        for slot, label in zip(slots, labels, strict=True)
    )
    _insert(
        JudgmentRevision(
            judgment=judgment,
            number=1,
            action="submit",
            state="counted",
            label=judgment.label,
            seconds=3,
            protocol_version=project.protocol,
            at=moment,
        )
        for judgment in judgments
    )


def decide(candidates: list[Candidate], right: list[bool], *, ending: str = "") -> None:
    """Let people decide answers; those they accept join the gold list, with this at their end."""
    moment = now()
    decisions = _insert(
        Decision(
            candidate=candidate,
            number=1,
            label="correct" if is_right else "incorrect",
            source="majority",
            decided_at=moment,
        )
        for candidate, is_right in zip(candidates, right, strict=True)
    )
    _insert(
        GoldChange(
            question_id=candidate.question_id,
            action="added",
            text=candidate.text + ending,
            text_hash=str(candidate.pk),
            rule="accepted",
            decision=decision,
            changed_at=moment,
        )
        for candidate, decision in zip(candidates, decisions, strict=True)
        if decision.label == "correct"
    )


def _run(project: Project, key: str, stated: str) -> JudgeRun:
    signature = "|".join(filter(None, (key, "synthetic", stated)))
    return JudgeRun.objects.create(
        project=project,
        judge_key=key,
        options={"prompt": stated.removeprefix("prompt:")} if stated else {},
        stated=[["judge", key], *([stated.split(":", 1)] if stated else [])],
        signature=signature,
        signature_hash=signature,
        state="finished",
        created_at=now(),
        finished_at=now(),
    )


def _verdicts(
    run: JudgeRun, candidates: list[Candidate], right: list[bool], *, accuracy: float, draw: random.Random
) -> None:
    def rows() -> Iterator[Verdict]:
        for candidate, is_right in zip(candidates, right, strict=True):
            accepted = is_right if draw.random() < accuracy else not is_right
            score = draw.random() * 0.5 + 0.5 * accepted
            yield Verdict(run=run, candidate=candidate, accepted=accepted, score=score, judged_at=now())

    _insert(rows())


def _tag_study(project: Project) -> None:
    """Draw a round for each set of the papers, and tag all its items at random."""
    runs = {run.judge_key: run.public_id for run in JudgeRun.objects.filter(project=project)}
    wanted = {
        "kamalloo": Filter(people=People.ACCEPT, run=runs["exact_match"], said=Said.REJECTS),
        "evouna-answers": Filter(people=People.REJECT),
        "evouna-evaluators": Filter(run=runs["llm"], said=Said.ERRS),
        "efficientqa": Filter(people=People.ACCEPT, beyond_gold=True),
    }
    draw = random.Random(TAGS_SEED)
    for key, rows in wanted.items():
        _tag_all(project, key, rows, draw)


def _tag_all(project: Project, key: str, wanted: Filter, draw: random.Random) -> None:
    tagging_round = start_round(
        project=project,
        by=project.created_by,
        name=key,
        set_key=key,
        wanted=wanted,
        size=TAGGED_ITEMS,
        seed=TAGS_SEED,
    )
    keys = [tag.key for tag in tagging_round.tag_set.as_spec().tags]
    Tagging.objects.bulk_create(
        Tagging(item=item, number=1, tags=[draw.choice(keys)], tagged_by=project.created_by, tagged_at=now())
        for item in tagging_round.items.order_by("position")
    )
