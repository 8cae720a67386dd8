"""Studies of any size with open work, straight into the tables; each function has a process of its own."""

import json
import secrets
import time
from pathlib import Path

from django.db.models import Count, F, Q
from django.test import Client

from annotation.accounts.models import User
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.rules import text_hash
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import unread_guidelines
from annotation.projects.services.members import add_member
from annotation.projects.services.protocols import read_guidelines
from benchmarks.apparatus.databases import start_study
from benchmarks.raters.assay import SLUG
from benchmarks.raters.platforms import RATERS_AN_ANSWER, Item, read_items
from common.clock import now
from common.database.rows import SECONDS_BETWEEN, batched, refresh_statistics

QUESTIONS_AT_ONCE = 2_000


def fill(answers: str, single: str) -> None:
    """Make a study of so many answers to judge, on sheets as they come or, with "single", of one each.

    The tables are counted as an import has them counted, and by nobody else: it is just over.
    """
    project = start_study("Load", slug=SLUG)
    source = DataImport.objects.create(
        project=project, created_by=project.created_by, created_at=now(), applied_at=now(), state="applied"
    )
    items = enumerate(read_items(int(answers), single=single == "single"))
    for some in batched(items, QUESTIONS_AT_ONCE):
        refresh_statistics()
        _insert(source, some)
    # What was asked less than this ago is not asked again; an import goes on for longer.
    time.sleep(SECONDS_BETWEEN)
    refresh_statistics()


def _insert(source: DataImport, items: list[tuple[int, Item]]) -> None:
    questions = Question.objects.bulk_create(
        Question(
            project_id=source.project_id,
            data_import=source,
            key=item.question,
            key_hash=text_hash(item.question),
            text=item.question,
            position=place,
        )
        for place, item in items
    )
    GoldAnswer.objects.bulk_create(
        GoldAnswer(question=question, data_import=source, text=item.answers[0], position=0)
        for question, (_, item) in zip(questions, items, strict=True)
    )
    Candidate.objects.bulk_create(
        Candidate(
            project_id=source.project_id,
            question=question,
            data_import=source,
            text=text,
            pool_hash=text_hash(f"{place} {text}"),
            position=place,
            state="open",
            wanted=RATERS_AN_ANSWER,
        )
        for question, (_, item) in zip(questions, items, strict=True)
        for place, text in enumerate(item.answers)
    )


def sign_in(raters: str, path: str) -> None:
    """Write what each of so many new raters' browsers sends, who have read the guidelines."""
    project = Project.objects.get(slug=SLUG)
    people = [{"number": number, "headers": _headers(project)} for number in range(int(raters))]
    Path(path).write_text(json.dumps(people))


def _headers(project: Project) -> dict[str, str]:
    user = User.objects.create_user(username=secrets.token_hex(8))
    member = add_member(project=project, user=user, role=Membership.Role.ANNOTATOR)
    read_guidelines(member=member, seen_hash=unread_guidelines(member=member))
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    token = secrets.token_hex(16)
    cookies = f"sessionid={browser.cookies['sessionid'].value}; csrftoken={token}"
    return {"Cookie": cookies, "X-CSRFToken": token}


def count_over(path: str) -> None:
    """Write how many answers have more counted judgments than wanted, or more of first raters than k."""
    counted = Q(judgments__state="counted")
    over = Candidate.objects.annotate(
        votes=Count("judgments", filter=counted),
        first=Count("judgments", filter=counted & Q(judgments__round="first")),
    ).filter(Q(votes__gt=F("wanted")) | Q(first__gt=RATERS_AN_ANSWER))
    Path(path).write_text(str(over.count()))
