"""Load the demo study through the services that people use: import, judge, decide, run judges."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.auth.hashers import make_password
from django.db import transaction

from annotation.accounts.models import User
from annotation.accounts.services import create_imported_rater, save_new_user
from annotation.adjudication.selectors.queue import waiting_answers
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.services.handing_out import flag_question, hand_out
from annotation.items.models import Candidate, Prediction, Question
from annotation.items.selectors import list_systems
from annotation.items.services.corrections import describe_system
from annotation.items.services.samples import set_sample
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.settling import settle_due
from annotation.judgments.services.submitting import submit_sheet
from annotation.known_answers.models import KnownAnswer
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import guidelines_for
from annotation.projects.services.making import create_project
from annotation.projects.services.members import add_member
from annotation.projects.services.protocols import read_guidelines
from commands.demo_features import (
    OPERATIONS,
    OPERATIONS_OF_PREJUDGING,
    add_models,
    add_published_numbers,
    ask_checks,
    draw_calibration,
    fail_training,
    mark_known_answers,
    note_activity,
    prejudge,
    save_views,
    set_training,
    tag_failures,
)
from commands.reproduction.steps import import_files
from common.clock import now
from judges.registry import RECORDED_PREFIX
from judges.runs.models import JudgeRun

FOLDER = Path(__file__).resolve().parent / "demo_study"
PASSWORD = "assay-demo"  # noqa: S105 (known to everybody by intent)
PEOPLE = {
    "lead": "Lena Ortiz",
    "annotator1": "Ada Moreau",
    "annotator2": "Bo Nilsen",
    "adjudicator": "Aki Sato",
    "newcomer": "Noor Haddad",
    "viewer": "Vera Lindqvist",
}
THIRD_RATER = "annotator3"
# Pages call them "Magpie 2 LLM (recorded)", and do not offer a language model where one has judged.
MAGPIE, JACKDAW = "Magpie 2 LLM", "Jackdaw 1 LLM"
LABELS = {"Yes": "correct", "No": "incorrect"}
JUDGED_SINCE = timedelta(days=3)
TAGGED_SO_FAR = 3
# Over how many hours leads and adjudicators did what the activity page lists.
NOTED_HOURS = 48.0
# Of an answer that only the audit leaves to the adjudicator.
UNDECIDED = {"label": "incorrect", "reason": "Decided from both annotators’ notes.", "category": "guideline"}
SHEET_SECONDS = (21.0, 34.5, 17.0, 48.0, 27.5, 62.0, 39.0)


class Study(NamedTuple):
    """One of the studies of the same questions: in the middle of the work, done, or done with a judge."""

    slug: str
    name: str
    description: str
    is_done: bool
    is_prejudged: bool = False


OPEN = Study(
    slug="demo",
    name="Everyday questions",
    description="Open questions answered by six systems; judging is in progress. The questions were "
    "written for this demo, and the systems are invented. Magpie 2, an invented LLM, judged all answers with "
    "the prompt “Careful reader”; its verdicts were recorded.",
    is_done=False,
)
DONE = Study(
    slug="demo-decided",
    name="Everyday questions, decided",
    description="The same questions and answers, with a sample fully judged. Annotators also said whether "
    "each question could have several answers, and whether its answer changes over time. Magpie 2, "
    "an invented LLM, judged all answers with the prompt “Careful reader”; its verdicts were recorded.",
    is_done=True,
)

PREJUDGED = Study(
    slug="demo-prejudged",
    name="Everyday questions, pre-judged",
    description="The same questions and answers: people judged a calibration sample, and a certified rule "
    "settled many of the others; a random share went to people as an audit. New annotators complete "
    "training first. Magpie 2 and Jackdaw 1, invented LLMs, judged with the prompt “Careful reader”; their "
    "verdicts were recorded.",
    is_done=True,
    is_prejudged=True,
)


class Ballot(NamedTuple):
    """One rater's recorded vote on one answer, with what the rater noted."""

    label: str
    note: Mapping[str, str]


class _Checks(NamedTuple):
    """The checks that a study asks, and who answered yes: check, question and rater."""

    keys: tuple[str, ...]
    yes: frozenset[tuple[str, str, str]]

    @classmethod
    def of(cls, project: Project) -> "_Checks":
        assert project.protocol is not None
        lines = _read_lines("checks.jsonl")
        yes = ((line["check"], line["question"], rater) for line in lines for rater in line["yes"])
        return cls(tuple(check.key for check in project.protocol.rules.question_checks), frozenset(yes))

    def said_by(self, rater: str, question: Question) -> dict[str, bool]:
        """Return what a rater answers, once a question."""
        return {key: (key, question.text, rater) in self.yes for key in self.keys}


# rater -> candidate id -> vote
Ballots = dict[str, dict[int, Ballot]]


@transaction.atomic
def load_demo_studies(*, at: datetime | None = None) -> list[Project]:
    """Return the demo studies, loaded where they are not there yet; all of them or nothing."""
    people = _people()
    return [
        Project.objects.filter(slug=study.slug).first() or _load(study, people, at=at or now())
        for study in (OPEN, DONE, PREJUDGED)
    ]


def _load(study: Study, people: Mapping[str, User], *, at: datetime) -> Project:
    project = create_project(
        lead=people["lead"],
        name=study.name,
        preset="openqa-eval",
        slug=study.slug,
        description=study.description,
    )
    _import_items(project, by=people["lead"])
    if study.is_done and not study.is_prejudged:
        set_sample(project=project, method=Project.SampleMethod.QUESTIONS, questions=_judged_questions())
        ask_checks(project)
    raters = _add_raters(project, people)
    if not study.is_done:
        _read_guidelines(raters.values(), at=at - JUDGED_SINCE)
    # The cheap judges run by themselves; this one's verdicts were recorded elsewhere.
    import_files(project, people["lead"], "", [FOLDER / "EVERYDAY_magpie.tsv"], {"judge": MAGPIE})
    if study.is_prejudged:
        # A judge good enough to be certified.
        import_files(project, people["lead"], "", [FOLDER / "EVERYDAY_jackdaw.tsv"], {"judge": JACKDAW})
        _judge_with_a_judge(project, people, raters, since=at - JUDGED_SINCE)
        note_activity(project, OPERATIONS_OF_PREJUDGING, people, since=at - JUDGED_SINCE, hours=NOTED_HOURS)
        return project
    _judge(project, raters, since=at - JUDGED_SINCE)
    _decide(project, by=people["adjudicator"], at=at - timedelta(hours=20))
    judge = _recorded_judge(project, MAGPIE)
    add_models(project, by=people["lead"])
    save_views(project, judge, by=people["lead"])
    add_published_numbers(project, by=people["lead"])
    begun = None if study.is_done else TAGGED_SO_FAR
    tag_failures(project, judge, by=people["lead"], at=at - timedelta(hours=10), most=begun)
    if not study.is_done:
        set_training(project, by=people["lead"], at=at - timedelta(hours=9))
    else:
        mark_known_answers(project, use=KnownAnswer.Use.HIDDEN, by=people["lead"], at=at - timedelta(hours=9))
    note_activity(project, OPERATIONS, people, since=at - JUDGED_SINCE, hours=NOTED_HOURS)
    return project


def _judge_with_a_judge(
    project: Project, people: Mapping[str, User], raters: Mapping[str, Membership], *, since: datetime
) -> None:
    """Let people judge a calibration sample, a judge settle what it may, and people judge the rest."""
    lead, adjudicator = people["lead"], people["adjudicator"]
    add_models(project, by=lead)
    draw_calibration(project, by=lead, at=since)
    _judge(project, raters, since=since, is_prejudged=True)
    _decide_what_waits(project, by=adjudicator, at=since + timedelta(hours=20))
    prejudge(project, _recorded_judge(project, JACKDAW), by=lead, at=since + timedelta(hours=24))
    _judge(project, raters, since=since + timedelta(hours=25), is_prejudged=True)
    # Beside ties of the calibration sample the third rater was handed others, too, and one of two may differ.
    _judge(project, raters, since=since + timedelta(hours=40), is_prejudged=True)
    _decide_what_waits(project, by=adjudicator, at=since + timedelta(hours=45))
    newcomer = add_member(project=project, user=people["newcomer"], role=Membership.Role.ANNOTATOR)
    set_training(project, by=lead, at=since + timedelta(hours=50))
    fail_training(newcomer, at=since + timedelta(hours=52))


def _recorded_judge(project: Project, name: str) -> JudgeRun:
    return project.judge_runs.get(judge_key=f"{RECORDED_PREFIX}{name}")


def _judged_questions() -> list[str]:
    return list(dict.fromkeys(row["Question"] for row in _read_votes() if row["annotator2"]))


def _people() -> dict[str, User]:
    known = {user.username: user for user in User.objects.filter(username__in=PEOPLE)}
    missing = [username for username in PEOPLE if username not in known]
    # Hashing is made slow to protect secrets. This password is public, so once is enough for all of them.
    hashed = make_password(PASSWORD) if missing else ""
    for username in missing:
        user = User(username=username, name=PEOPLE[username], password=hashed)
        known[username] = save_new_user(user)
    return {username: known[username] for username in PEOPLE}


def _import_items(project: Project, *, by: User) -> None:
    import_files(project, by, "", [FOLDER / "questions.jsonl"], {})
    import_files(project, by, "", sorted((FOLDER / "systems").glob("*.jsonl")), {})
    descriptions = json.loads((FOLDER / "systems.json").read_text(encoding="utf-8"))
    for system in list_systems(project=project):
        description = descriptions[system.name]
        label = description.pop("label")
        describe_system(project=project, public_id=system.public_id, label=label, description=description)


def _add_raters(project: Project, people: Mapping[str, User]) -> dict[str, Membership]:
    add_member(project=project, user=people["adjudicator"], role=Membership.Role.ADJUDICATOR)
    add_member(project=project, user=people["viewer"], role=Membership.Role.VIEWER)
    # Known from the file only, so that new disagreements wait for the adjudicator's login.
    third = create_imported_rater(name="Cy Abara", username=f"imported-{project.slug}-{THIRD_RATER}")
    users = {"annotator1": people["annotator1"], "annotator2": people["annotator2"], THIRD_RATER: third}
    return {
        name: add_member(project=project, user=user, role=Membership.Role.ANNOTATOR)
        for name, user in users.items()
    }


def _read_guidelines(raters: Iterable[Membership], *, at: datetime) -> None:
    for rater in raters:
        # Whoever is known from a file alone has read nothing here.
        if not rater.user.is_imported:
            read_guidelines(member=rater, seen_hash=guidelines_for(member=rater).hash, at=at)


def _judge(
    project: Project, raters: Mapping[str, Membership], *, since: datetime, is_prejudged: bool = False
) -> None:
    """Hand every judged question to the raters in turn and submit what they recorded."""
    ballots = _read_ballots(_candidates_by_text(project), _read_votes(is_prejudged=is_prejudged))
    questions = list(project.questions.order_by("position", "pk"))
    notes = [note for note in _read_lines("notes.jsonl") if "flag" in note]
    checks = _Checks.of(project)
    moment = since
    # Once all first votes are settled together, it is known which ties the third rater is to break.
    for names in ([name for name in raters if name != THIRD_RATER], [THIRD_RATER]):
        for number, question in enumerate(questions):
            for name in names:
                seconds = SHEET_SECONDS[(number + len(name)) % len(SHEET_SECONDS)]
                moment += timedelta(seconds=seconds * 4)
                flags = [note for note in notes if note["annotator"] == name]
                _judge_question(
                    raters[name],
                    question,
                    ballots[name],
                    flags,
                    checks.said_by(name, question),
                    seconds=seconds,
                    at=moment,
                )
        settle_due(project_id=project.pk, waits=True)


def _judge_question(
    rater: Membership,
    question: Question,
    votes: Mapping[int, Ballot],
    flags: Iterable[Mapping[str, str]],
    checks: Mapping[str, bool],
    *,
    seconds: float,
    at: datetime,
) -> None:
    if not Candidate.objects.filter(question=question, pk__in=list(votes)).exists():
        return
    for sheet in hand_out(rater=rater, only_question=question, at=at):
        for flag in flags:
            if flag["question"] == question.text:
                flag_question(
                    rater=rater, sheet_id=sheet.public_id, kind=flag["flag"], note=flag["note"], at=at
                )
        shown = sheet.assignments.select_related("candidate").order_by("position", "pk")
        submit_sheet(
            rater=rater,
            sheet_id=sheet.public_id,
            submission_key=f"demo-{sheet.public_id}",
            answers=[_answer(assignment.candidate, votes) for assignment in shown],
            checks=checks,
            seconds=seconds,
            at=at,
        )


def _answer(candidate: Candidate, votes: Mapping[int, Ballot]) -> AnswerGiven:
    ballot = votes.get(candidate.pk)
    if ballot is None:
        return AnswerGiven(id=candidate.public_id, label=None, skip_reason="I cannot tell.")
    note = ballot.note
    return AnswerGiven(
        id=candidate.public_id,
        label=ballot.label,
        comment=note.get("comment", ""),
        evidence_url=note.get("evidence_url", ""),
        evidence_quote=note.get("evidence_quote", ""),
    )


def _candidates_by_text(project: Project) -> dict[tuple[str, str], int]:
    predictions = Prediction.objects.filter(question__project=project).order_by("pk")
    return {
        (question, text): candidate_id
        for question, text, candidate_id in predictions.values_list("question__text", "text", "candidate_id")
    }


def _read_ballots(candidates: Mapping[tuple[str, str], int], votes: Iterable[Mapping[str, str]]) -> Ballots:
    notes = {
        (note["question"], note["answer"], note["annotator"]): note
        for note in _read_lines("notes.jsonl")
        if "comment" in note
    }
    ballots: Ballots = defaultdict(dict)
    for row in votes:
        place = row["Question"], row["Model answer"]
        for rater in ("annotator1", "annotator2", THIRD_RATER):
            if row[rater]:
                ballot = Ballot(label=LABELS[row[rater]], note=notes.get((*place, rater), {}))
                ballots[rater].setdefault(candidates[place], ballot)
    return ballots


def _decide(project: Project, *, by: User, at: datetime) -> None:
    candidates = _candidates_by_text(project)
    public_ids = dict(Candidate.objects.filter(project=project).values_list("pk", "public_id"))
    decisions = (line for line in _read_lines("decisions.jsonl") if project.slug in line["studies"])
    for number, decision in enumerate(decisions):
        decide_answer(
            project=project,
            candidate_id=public_ids[candidates[decision["question"], decision["answer"]]],
            by=by,
            label=decision["label"],
            reason=decision["reason"],
            category=decision["category"],
            at=at + timedelta(minutes=2 * number),
        )


def _decide_what_waits(project: Project, *, by: User, at: datetime) -> None:
    """Decide what raters left to the adjudicator, as in the other studies."""
    decisions = {(line["question"], line["answer"]): line for line in _read_lines("decisions.jsonl")}
    waiting = waiting_answers(project).select_related("question").order_by("pk")
    for number, candidate in enumerate(list(waiting)):
        decision = decisions.get((candidate.question.text, candidate.text), UNDECIDED)
        decide_answer(
            project=project,
            candidate_id=candidate.public_id,
            by=by,
            label=decision["label"],
            reason=decision["reason"],
            category=decision["category"],
            at=at + timedelta(minutes=2 * number),
        )


def _read_votes(*, is_prejudged: bool = False) -> list[dict[str, str]]:
    """Return the file of votes; the pre-judged study needs more of them, on the other questions."""
    rows: list[dict[str, str]] = []
    # A first vote that the open study has of these questions is the same in both files.
    for name in ("votes_prejudged.tsv", "votes.tsv") if is_prejudged else ("votes.tsv",):
        with (FOLDER / name).open(encoding="utf-8", newline="") as file:
            rows += csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    return rows


def _read_lines(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)
