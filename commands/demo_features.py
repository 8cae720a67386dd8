"""What the demo shows besides labels: checks, models, tags, training, pre-judging, published scores."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.known_answers.models import KnownAnswer
from annotation.known_answers.selectors import training_answers
from annotation.known_answers.services import answer_training, mark_known, start_again
from annotation.projects.models import Membership, Project
from annotation.projects.rules import QuestionCheck
from annotation.projects.services.activity import begin_activity, end_activity
from annotation.projects.services.protocols import set_protocol
from annotation.quality.services import PlanWish, save_quality_plan
from judges.answers.services import save_view
from judges.comparison.selectors.study import AMBIGUOUS
from judges.comparison.services import import_references
from judges.connections.services.changes import create_connection
from judges.prejudging.services.certificates import certify_rule, draw_sample
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from judges.prompts.services import add_prompt, make_draft
from judges.runs.models import JudgeRun
from judges.tagging.models import TaggedItem, TaggingRound
from judges.tagging.rules.rounds import Filter, People, Said
from judges.tagging.services import start_round, tag_item

FOLDER = Path(__file__).resolve().parent / "demo_study"
# Nobody listens there, and nothing is sent before somebody starts a run.
NO_MODEL = "https://models.example/v1"
PROMPT = """Question: {question}
Gold answers: {golds}
Candidate: {answer}

Would a careful reader accept the candidate? Answer Yes or No, then say why in one sentence."""
# What leads and adjudicators did, in order, by the operation of the API that the activity page names.
OPERATIONS = (
    ("lead", "create_import"),
    ("lead", "confirm_import"),
    ("adjudicator", "decide_answers"),
    ("lead", "create_connection"),
    ("lead", "add_prompt"),
    ("lead", "save_answer_view"),
    ("lead", "import_reference_scores"),
    ("lead", "start_tagging_round"),
)
OPERATIONS_OF_PREJUDGING = (
    *OPERATIONS[:2],
    ("lead", "draw_calibration"),
    ("adjudicator", "decide_answers"),
    ("lead", "certify_rule"),
    ("lead", "save_prejudging"),
    ("lead", "apply_prejudging"),
    ("lead", "save_quality_plan"),
)
CHECKS = (
    QuestionCheck(key=AMBIGUOUS, text="Could this question have several answers?"),
    QuestionCheck(key="changes_over_time", text="Does the answer change over time?"),
)
# Every fifth is left to be tagged.
LEFT_OPEN = 5
CALIBRATION = 100
MOST_WRONG, DOUBT = 0.15, 0.1
# People label at least 30 answers of each system of 44, as its corrected score needs.
AUDIT = 0.4
SEED = 20261125


def ask_checks(project: Project) -> None:
    """Let annotators be asked about the questions, too, as EfficientQA and EVOUNA ask; nothing is skipped."""
    assert project.protocol is not None
    protocol = replace(project.protocol.rules, question_checks=CHECKS)
    set_protocol(project=project, spec=protocol.to_spec())


def add_models(project: Project, *, by: User) -> None:
    """Let the study have a connection to a model that nobody runs, and a prompt of its own."""
    create_connection(
        project=project, by=by, name="Magpie 2 (example, not connected)", base_url=NO_MODEL, model="magpie-2"
    )
    draft = make_draft(key="careful-reader", name="Careful reader", template=PROMPT, parser="first-word")
    add_prompt(project=project, by=by, draft=draft)


def add_published_numbers(project: Project, *, by: User) -> None:
    """Put invented numbers of invented papers beside the study's own."""
    text = (FOLDER / "published.csv").read_text(encoding="utf-8")
    read = import_references(project=project, by=by, text=text)
    assert not read.problems, read.problems


def tag_failures(
    project: Project, judge: JudgeRun, *, by: User, at: datetime, most: int | None = None
) -> None:
    """Tag why exact match misses what people accept, and why a judge errs, as far as rules propose a tag.

    most: how many of each round are tagged at most; the lead has only begun.
    """
    member = project.members.get(user=by)
    wanted = {
        "kamalloo": Filter(people=People.ACCEPT, beyond_gold=True),
        "evouna-evaluators": Filter(run=judge.public_id, said=Said.ERRS),
    }
    for set_key, found in wanted.items():
        made = start_round(
            project=project,
            by=by,
            name="",
            set_key=set_key,
            wanted=found,
            size=None,
            seed=SEED,
            proposals=TaggingRound.Proposals.SHOWN,
            at=at,
        )
        items = TaggedItem.objects.filter(round=made, proposal__isnull=False).select_related(
            "round__tag_set", "round__run", "proposal"
        )
        for number, item in enumerate(items.order_by("position")[:most]):
            if number % LEFT_OPEN != LEFT_OPEN - 1:
                moment = at + timedelta(minutes=number)
                tag_item(item=item, by=member, tags=item.proposal.tags, seen_number=0, at=moment)


def mark_known_answers(project: Project, *, use: KnownAnswer.Use, by: User, at: datetime) -> int:
    """Mark answers that people agreed on as known, each with its explanation; return how many."""
    answers = json.loads((FOLDER / "training.json").read_text(encoding="utf-8"))
    for each in answers:
        mark_known(
            project=project,
            candidate=Candidate.objects.get(
                project=project, question__text=each["question"], text=each["answer"]
            ),
            by=by,
            use=use,
            label=each["label"],
            explanation=each["explanation"],
            at=at,
        )
    return len(answers)


def set_training(project: Project, *, by: User, at: datetime) -> None:
    """Train whoever comes new with answers that people agreed on; those who have judged go on without."""
    known = mark_known_answers(project, use=KnownAnswer.Use.TRAINING, by=by, at=at)
    wish = PlanWish(
        known_share=0.0,
        repeat_share=0.0,
        repeat_distance=30,
        repeat_hours=24,
        second_share=0.0,
        is_training=True,
        pass_share=0.8,
        least_answers=known,
    )
    save_quality_plan(project=project, by=by, wish=wish, at=at)


def fail_training(rater: Membership, *, at: datetime) -> None:
    """Let a newcomer accept every answer of the training, and begin again."""
    for question in dict.fromkeys(
        training_answers(rater=rater).order_by("pk").values_list("candidate__question__public_id", flat=True)
    ):
        asked = training_answers(rater=rater).filter(candidate__question__public_id=question)
        labels = dict.fromkeys(asked.values_list("candidate__public_id", flat=True), "correct")
        answer_training(rater=rater, question_id=question, labels=labels, at=at)
    start_again(rater=rater, at=at + timedelta(hours=1))


def save_views(project: Project, judge: JudgeRun, *, by: User) -> None:
    """Save two views of the answers, as a lead does who comes back to them."""
    member = project.members.get(user=by)
    views = {
        "Magpie 2 and people disagree": {"differing": f"people~{judge.public_id}", "sort": "-words"},
        "Heron 100 is correct, Wren is not": {"only_right": "heron-100", "only_wrong": "wren"},
    }
    for name, query in views.items():
        save_view(project=project, by=member, name=name, query=query)


def draw_calibration(project: Project, *, by: User, at: datetime) -> None:
    """Draw the answers by which a rule is certified; raters get nothing else until it is applied."""
    draw_sample(project=project, size=CALIBRATION, by=by, seed=SEED, holds_others=True, at=at)


def prejudge(project: Project, judge: JudgeRun, *, by: User, at: datetime) -> None:
    """Certify that the judge may settle what people have not seen, and let it, but for an audit."""
    rule = {"runs": [judge.public_id], "condition": "any_accepts"}
    certificate = certify_rule(
        project=project, rules=[rule], number=1, alpha=MOST_WRONG, delta=DOUBT, by=by, at=at
    )
    rules = [{**rule, "certificate": certificate.public_id}]
    policy = make_policy(project=project, rules=rules, audit_share=AUDIT, seed=SEED)
    save_policy(project=project, policy=policy, by=by, at=at)
    application = apply_policy(project=project, by=by, at=at)
    # Here and now: whoever opens the study finds it settled.
    work_on_application(application_id=application.pk)


def note_activity(
    project: Project,
    operations: Sequence[tuple[str, str]],
    people: Mapping[str, User],
    *,
    since: datetime,
    hours: float,
) -> None:
    """Note what was done here by people in a browser, spread over these hours."""
    for number, (who, operation) in enumerate(operations):
        moment = since + timedelta(hours=hours * number / len(operations))
        activity = begin_activity(project=project, user=people[who], operation=operation, place={}, at=moment)
        end_activity(activity, was_done=True, at=moment)
