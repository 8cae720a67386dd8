"""Studies of any size with open work, straight into the tables; each function has a process of its own."""

import json
import secrets
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Model, Q
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
from common.database.rows import SECONDS_BETWEEN, batched, insert_rows, refresh_statistics, reserve_keys
from common.identifiers import new_public_id

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
        _fill(source, some)
    # What was asked less than this ago is not asked again; an import goes on for longer.
    time.sleep(SECONDS_BETWEEN)
    refresh_statistics()


def _fill(source: DataImport, items: list[tuple[int, Item]]) -> None:
    common = {"project": source.project_id, "data_import": source.pk}
    with transaction.atomic():
        keyed = list(zip(reserve_keys(Question, len(items)), items, strict=True))
        questions = (
            {
                "id": key,
                "public_id": new_public_id(),
                "key": item.question,
                "key_hash": text_hash(item.question),
                "text": item.question,
                "position": place,
                **common,
            }
            for key, (place, item) in keyed
        )
        answers = (
            {
                "public_id": new_public_id(),
                "question": key,
                "text": text,
                "pool_hash": text_hash(f"{place} {text}"),
                "position": place,
                "state": "open",
                "wanted": RATERS_AN_ANSWER,
                **common,
            }
            for key, (_, item) in keyed
            for place, text in enumerate(item.answers)
        )
        golds = (
            {"question": key, "data_import": source.pk, "text": item.answers[0], "position": 0}
            for key, (_, item) in keyed
        )
        _insert(Question, questions)
        _insert(GoldAnswer, golds)
        _insert(Candidate, answers)


def _insert(model: type[Model], rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows that say what is not as by default, as imports do."""
    given = list(rows)
    fields = [field for field in model._meta.concrete_fields if not field.primary_key or "id" in given[0]]
    defaults = {field.name: field.get_default() for field in fields}
    insert_rows(model, list(defaults), [list((defaults | row).values()) for row in given])


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
