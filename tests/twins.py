"""Twin studies: built alike but for one thing, with an annotator who acts by a script and listens to all.

What the annotator hears must be the same in both twins, byte by byte. Public ids and the time are fixed for
that: each table draws its ids from one row of its own for the annotator and one for everybody else.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import Assignment, PriorityQuestion, Sheet, WorkPlan
from annotation.assignments.services.handing_out import hand_out
from annotation.assignments.services.work_plans import put_first
from annotation.items.models import Candidate, GoldAnswer, Question, System
from annotation.judgments.models import Judgment
from annotation.judgments.services.settling import settle_due
from annotation.known_answers.models import QualityPlan
from annotation.known_answers.services import mark_known
from annotation.projects.models import Membership, Project
from annotation.projects.presets import find_preset
from annotation.projects.services.protocols import set_protocol
from common.identifiers import ALPHABET, LENGTH
from judges.prejudging.services.routing import start_routing
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.assignments.factories import judge, make_import, make_question, make_source
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, make_user, read_what_is_new
from tests.routes import api_routes, headers_of, rolled_back

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=settings.ASSAY_LEASE_SECONDS)
CANNOT_JUDGE = {"key": "cannot_judge", "name": "Cannot judge", "credit": "missing"}
OPEN_ROUTES = (
    "/api/projects",
    "/api/session",
    "/api/account",
    "/api/presets",
    "/api/projects/twin",
    "/api/projects/twin/guidelines",
    "/api/projects/twin/judged",
    "/api/projects/twin/judged?search=1",
    "/api/projects/twin/training",
)
# Asks whether a process outside answers, which has nothing to do with a study.
NOT_ASKED = {"/api/worker"}


def protocol_spec(name: str) -> dict[str, Any]:
    """Return a preset, or one of the protocols that have what no preset has."""
    found = find_preset(name) or find_preset("evouna" if name == "marks" else "openqa-eval")
    assert found is not None
    spec = {**found.protocol.to_spec(), "guidelines": "Judge."}
    labels = [*spec["labels"], CANNOT_JUDGE]
    changes: dict[str, dict[str, Any]] = {
        "decisions shown": {"labels": labels, "decisions_shown": True, "fill_tie_break_sheets": True},
        "more annotators": {"labels": labels, "tie_break": "more_raters", "most_raters": 4},
        "three and a tie-break": {"labels": labels, "raters_per_answer": 3},
        "marks": {
            "raters_per_answer": 2,
            "decision_rule": "majority",
            "tie_break": "third_rater",
            "gold_shown": False,
            "pool_within_groups": False,
        },
    }
    return spec | changes.get(name, {})


PROTOCOLS = (
    "openqa-eval",
    "efficientqa",
    "evouna",
    "decisions shown",
    "more annotators",
    "three and a tie-break",
    "marks",
)


@dataclass
class Clock:
    """The time in both twins."""

    now: datetime = NOON


@dataclass
class Ids:
    """Public ids in rows: one for each table, and in it one for the annotator and one for all others."""

    owner: str = "others"
    rows: dict[tuple[str, str], Iterator[int]] = field(default_factory=dict)

    def draw(self, table: str) -> str:
        number = next(self.rows.setdefault((self.owner, table), count(1)))
        chance = Random(f"{self.owner} {table} {number}").randrange(len(ALPHABET) ** LENGTH)
        return "".join(ALPHABET[chance // len(ALPHABET) ** place % len(ALPHABET)] for place in range(LENGTH))


@contextmanager
def fixed(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Clock, Ids]]:
    """Let a twin have its own time and ids, and take all back that is written in it."""
    clock, ids = Clock(), Ids()
    with monkeypatch.context() as patch, rolled_back():
        patch.setattr("common.clock.timezone.now", lambda: clock.now)
        for model in apps.get_models():
            for public_id in (each for each in model._meta.fields if each.name == "public_id"):
                table = model._meta.label
                patch.setitem(public_id.__dict__, "_get_default", lambda table=table: ids.draw(table))
        yield clock, ids


@dataclass
class Study:
    """A study at work: the annotator who listens, the colleagues, and the questions in their order."""

    project: Project
    me: Membership
    colleagues: list[Membership]
    questions: list[Question]
    clock: Clock
    ids: Ids

    @property
    def labels(self) -> list[str]:
        protocol = self.project.protocol
        assert protocol is not None
        return [label.key for label in protocol.rules.labels]


def make_study(protocol: str, clock: Clock, ids: Ids, *, questions: int = 6) -> Study:
    """Make questions of one to four answers each, from systems, with gold that equals none of them."""
    project = make_project(lead=make_user(username="lead"), slug="twin", name="Twin")
    set_protocol(project=project, spec=protocol_spec(protocol))
    project = Project.objects.select_related("protocol").get(pk=project.pk)
    names = ("me", "ben", "cat", "dan")
    members = [make_member(project=project, username=name) for name in names]
    groups = dict(zip(names, "abcd", strict=True)) if protocol == "evouna" else {}
    for member in members:
        Membership.objects.filter(pk=member.pk).update(group=groups.get(member.user.username, ""))
    me, *others = (
        Membership.objects.select_related("project__protocol", "user")
        .filter(pk__in=[member.pk for member in members])
        .order_by("pk")
    )
    data_import = make_import(project=project)
    made = []
    for number in range(questions):
        texts = [f"answer {number}.{place}" for place in range(1 + number % 4)]
        question = make_question(project=project, answers=texts, data_import=data_import)
        made.append(question)
        if groups:
            _share_among_groups(question)
        for place, candidate in enumerate(question.candidates.order_by("pk")):
            make_source(candidate=candidate, system=f"system {place}", gold=f"gold {number}.{place}")
    read_what_is_new(me)
    return Study(project, me, list(others), made, clock, ids)


def _share_among_groups(question: Question) -> None:
    for candidate in list(question.candidates.all()):
        Candidate.objects.filter(pk=candidate.pk).update(group="a")
        for group in "bc":
            twin = Candidate.objects.get(pk=candidate.pk)
            twin.pk, twin._state.adding, twin.group = None, True, group
            twin.public_id = Candidate._meta.get_field("public_id").get_default()
            twin.save()


@contextmanager
def queries_asked() -> Iterator[list[str]]:
    """Collect what is asked of the database, without the values and however many there are."""
    asked: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        several = re.sub(r"\((?:\(?(?:%s|NULL|DEFAULT)\)?,? ?)+\)", "(…)", sql)
        cases = re.sub(r"(?:WHEN .+? THEN .+? )+(?=ELSE|END)", "WHEN … ", several)
        asked.append(re.sub(r"(\(…\)(, )?)+|\bs\d+_x\d+\b", "…", cases))
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield asked


class Listener(ClientOf):
    """The annotator: acts by chance, the same in both twins as long as what is heard is the same."""

    def __init__(
        self, study: Study, *, seed: str, reads_all: Callable[[int], bool], hears_queries: bool = False
    ) -> None:
        super().__init__(study.me.user)
        self.hears_queries = hears_queries
        self.raise_request_exception = False
        self.study = study
        self.chance = Random(seed)
        self.reads_all = reads_all
        self.heard: list[str] = []
        self.sheets: list[dict[str, Any]] = []
        self.past: list[dict[str, Any]] = []
        self.last: tuple[str, dict[str, Any]] | None = None
        self.keys = count(1)
        self.refused = refused_addresses(study)

    def say(self, method: str, address: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a request, remember all that the reply tells, and return its JSON.

        With `hears_queries` what an act asked of the database before its reply is remembered, too: it takes
        its time.
        """
        self.study.ids.owner = "me"
        hears_queries = self.hears_queries and method == "POST"
        nothing: AbstractContextManager[list[str]] = nullcontext([])
        with queries_asked() if hears_queries else nothing as asked:
            reply: Any = self.generic(
                method, address, json.dumps(body) if body is not None else "", content_type="application/json"
            )
        self.study.ids.owner = "others"
        told = re.sub(r'"csrf_token":"\w+"', '"csrf_token":""', reply.content.decode())
        headers = headers_of(reply)
        self.heard.append(f"{method} {address} {body} -> {reply.status_code} {headers} {told}")
        assert reply.status_code < 500, self.heard[-1]
        if hears_queries:
            self.heard += [f"before the reply to {address}:", *asked]
        return json.loads(told) if told else {}

    def read_everything(self, number: int) -> None:
        for address in OPEN_ROUTES:
            told = self.say("GET", address)
            if address.endswith("/judged"):
                self.past = told["sheets"]
        for address in self.refused if self.reads_all(number) else ():
            self.say("GET", address)

    def work(self, path: str, body: Mapping[str, Any]) -> None:
        told = self.say("POST", f"/api/projects/twin/sheets/{path}", body)
        if "sheets" in told:
            self.sheets = told["sheets"]

    def act(self, name: str) -> None:
        getattr(self, f"_{name}")()

    def _next(self) -> None:
        self.work("next", {"ahead": self.chance.choice((1, 2, 4))})

    def _lapse(self) -> None:
        self.study.clock.now += LEASE + timedelta(minutes=1)
        self._next()

    def _late(self) -> None:
        self.study.clock.now += LEASE + timedelta(minutes=1)
        self._submit()

    def _submit(self) -> None:
        if not self.sheets:
            self._next()
            return
        sheet = self.chance.choice(self.sheets)
        body = {
            "submission_key": f"submission {next(self.keys)}",
            "answers": [self._answer(answer["id"]) for answer in sheet["answers"]],
            "checks": {check["key"]: self.chance.random() < 0.2 for check in sheet["checks"]},
            "ahead": self.chance.choice((1, 2, 4)),
            "seconds": self.chance.choice((None, 5.0, 12.5)),
            **({"version": sheet["version"]} if "version" in sheet else {}),
        }
        self.last = (f"{sheet['id']}/submit", body)
        self.work(*self.last)

    def _answer(self, id_: str) -> dict[str, Any]:
        if self.chance.random() < 0.1:
            return {"id": id_, "label": None, "skip_reason": "no idea"}
        return {"id": id_, "label": self.chance.choice(self.study.labels)}

    def _submit_again(self) -> None:
        if self.last is not None:
            self.work(*self.last)

    def _skip(self) -> None:
        if self.sheets:
            sheet = self.chance.choice(self.sheets)
            body = {"submission_key": f"submission {next(self.keys)}", "reason": "unclear", "ahead": 2}
            self.work(f"{sheet['id']}/skip", body)

    def _flag(self) -> None:
        if self.sheets:
            sheet, kind = self.chance.choice(self.sheets), self.chance.choice(("list", "unclear"))
            self.work(f"{sheet['id']}/flags", {"kind": kind})
            self._next()

    def _undo(self) -> None:
        self.work("undo", {"ahead": 2})

    def _edit(self) -> None:
        answers = [(sheet, answer) for sheet in self.past for answer in sheet["answers"]]
        if answers:
            sheet, answer = self.chance.choice(answers)
            body = {
                "label": self.chance.choice(self.study.labels),
                "comment": self.chance.choice(("", "on second thoughts")),
                "seen_at": answer["said"]["judged_at"],
            }
            path = f"/api/projects/twin/judged/{sheet['id']}/answers/{answer['id']}/edit"
            self.say("POST", path, body)


def refused_addresses(study: Study) -> list[str]:
    """Return the address of every other route that is read, with ids of things the study has."""
    candidate = study.questions[0].candidates.order_by("pk")[0]
    ids = {
        "members": study.colleagues[0].public_id,
        "raters": study.colleagues[0].public_id,
        "questions": candidate.question.public_id,
    }

    class AnyId(dict[str, str]):
        def __missing__(self, kind: str) -> str:
            return candidate.public_id

    addresses = [
        route.address(slug="twin", ids=AnyId(ids)) for route in api_routes() if "GET" in route.methods
    ]
    return sorted({*addresses} - {*OPEN_ROUTES} - NOT_ASKED)


def vote(study: Study, colleague: Membership, question: Question, labels: Random) -> None:
    """Let a colleague judge whatever of a question waits for them."""
    for sheet in hand_out(rater=colleague, only_question=question):
        texts = {item.candidate.text for item in sheet.assignments.select_related("candidate")}
        judge(sheet, {text: labels.choice(study.labels[:2]) for text in sorted(texts)})


def is_mine_no_more(study: Study, question: Question) -> bool:
    """Whether nothing that becomes of a question can bring it to the annotator's desk as a tie to break."""
    mine = Sheet.objects.filter(rater=study.me, question=question)
    unfinished = mine.exclude(state__in=(Sheet.State.SUBMITTED, Sheet.State.SKIPPED))
    passed_on = Assignment.objects.filter(
        sheet__in=mine.filter(state=Sheet.State.SUBMITTED), state=Assignment.State.SKIPPED
    )
    # What goes first was judged by itself, and the rest is yet to come.
    rest = question.candidates.filter(state=Candidate.State.OPEN).exclude(assignments__rater=study.me)
    is_left = question.candidates.filter(goes_first=True).exists() and rest.exists()
    return mine.exists() and not unfinished.exists() and not passed_on.exists() and not is_left


def draw_some(study: Study) -> None:
    """Let an answer of each question with several go first, as one drawn for people does."""
    several = [question for question in study.questions if question.candidates.count() > 1]
    drawn = {question.candidates.order_by("-pk")[0].pk for question in several[1:]}
    put_first(project_id=study.project.pk, candidate_ids=drawn)


def meanwhile(study: Study, chance: Random, labels: Random) -> None:
    """Let others work: one colleague anywhere, the rest where the annotator has judged; a lead decides.

    Where two colleagues differ before the annotator has judged, the annotator is to break the tie, and is
    handed other work: that is told, and is what the protocol wants. Where one rater is asked first, the next
    one comes for what that one said, too: all colleagues come after the annotator.
    """
    question = chance.choice(study.questions)
    first, *rest = study.colleagues
    who = chance.random()
    if who < 0.45 and not study.project.starts_with_one:
        vote(study, first, question, labels)
    elif who < 0.9:
        colleague = chance.choice(rest)
        if is_mine_no_more(study, question):
            vote(study, colleague, question, labels)
    else:
        candidate = chance.choice(list(question.candidates.order_by("pk")))
        decide_answer(
            project=study.project,
            candidate_id=candidate.public_id,
            by=study.project.created_by,
            label=study.labels[0],
            reason="so",
        )


def other_verdicts(study: Study, accepted: bool) -> None:
    """Let a judge have said of every answer that it is right, or of none."""
    run = JudgeRun.objects.create(
        project=study.project,
        judge_key="exact_match",
        stated=[["judge", "exact_match"]],
        signature="twin",
        signature_hash="twin",
        state=JudgeRun.State.FINISHED,
        created_at=NOON,
    )
    candidates = Candidate.objects.filter(project=study.project).order_by("pk")
    Verdict.objects.bulk_create(
        Verdict(
            run=run, candidate=candidate, accepted=accepted, score=1.0 if accepted else 0.0, judged_at=NOON
        )
        for candidate in candidates
    )


def other_routes(study: Study, accepted: bool) -> None:
    """Let one rater be enough where a judge agrees who accepts every answer, or none."""
    other_verdicts(study, accepted)
    (run,) = JudgeRun.objects.filter(project=study.project)
    start_routing(project=study.project, run=run.public_id, threshold=0.9, audit_share=0.2)
    study.project.refresh_from_db()


def other_gold(study: Study, is_other: bool) -> None:
    """Let gold be words that no answer has, or others of that sort and fewer."""
    if is_other:
        GoldAnswer.objects.filter(question__project=study.project, position__gt=0).delete()
        GoldAnswer.objects.filter(question__project=study.project).update(text="entirely different")


HIDDEN_QUESTIONS = (1, 2, 5, 7)


def hide(study: Study) -> None:
    """Make some questions known ones: outside the sample, or decided by two colleagues; one answer known."""
    for place in HIDDEN_QUESTIONS:
        question = study.questions[place]
        if place % 2:
            Candidate.objects.filter(question=question).update(state=Candidate.State.UNASKED, wanted=0)
            Question.objects.filter(pk=question.pk).update(in_sample=False)
        else:
            for colleague in study.colleagues[:2]:
                vote(study, colleague, question, Constant(0))
        settle_due()
        known = question.candidates.order_by("pk")[0]
        mark_known(
            project=study.project, candidate=known, by=study.project.created_by, use="hidden", label="correct"
        )
    QualityPlan.objects.create(project=study.project, known_share=0.4)


class Constant(Random):
    """Chooses the first of whatever there is, so that colleagues agree."""

    def choice(self, options: Any) -> Any:
        return options[0]


def sheets_in_order(study: Study) -> list[tuple[int, list[str]]]:
    """Return the questions that the annotator is handed, in order, with their answers, judging all."""
    handed_out = []
    while sheets := hand_out(rater=study.me):
        judge(sheets[0], study.labels[0])
        answers = list(sheets[0].assignments.order_by("pk").values_list("candidate__text", flat=True))
        handed_out.append((sheets[0].question.position, answers))
    return handed_out


def make_all_work(study: Study, order: list[tuple[int, list[str]]]) -> None:
    """Let the same sheets come in the same order, each of them work."""
    Candidate.objects.filter(project=study.project).update(state=Candidate.State.UNASKED, wanted=0)
    assert study.project.protocol is not None
    raters = study.project.protocol.rules.raters_per_answer
    WorkPlan.objects.create(project=study.project, goes_first=["this order"], saved_at=NOON)
    for place, (position, texts) in enumerate(order):
        question = study.questions[position]
        PriorityQuestion.objects.create(question=question, place=place)
        answers = Candidate.objects.filter(question=question, text__in=texts)
        answers.update(state=Candidate.State.OPEN, wanted=raters)


def decide_what_is_judged(study: Study, chance: Random) -> None:
    """Let the lead decide an answer that the annotator has handed in, whatever its sheet was for."""
    judged = Judgment.objects.filter(rater=study.me, assignment__sheet__state=Sheet.State.SUBMITTED)
    found = list(judged.exclude(state="withdrawn").order_by("candidate").select_related("candidate"))
    if found:
        decide_answer(
            project=study.project,
            candidate_id=chance.choice(found).candidate.public_id,
            by=study.project.created_by,
            label=study.labels[0],
            reason="so",
        )


def other_systems(study: Study, is_other: bool) -> None:
    if is_other:
        System.objects.filter(project=study.project).update(label="renamed", group="b")
