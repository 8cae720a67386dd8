"""Every error that annotators may meet is said in every language of the pages, by its code."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver

from annotation.assignments.rules import Refusal
from common.errors import DomainError

ROOT = Path(settings.BASE_DIR)
LOCALES = ROOT / "frontend" / "src" / "locales"
# Where errors are made that annotators meet.
MODULES = {
    "annotation.accounts.guessing",
    "annotation.accounts.idempotency.claims",
    "annotation.accounts.mailboxes.addresses",
    "annotation.accounts.mailboxes.confirming",
    "annotation.accounts.outbox.writing",
    "annotation.accounts.second_factor.checking",
    "annotation.accounts.second_factor.setting_up",
    "annotation.accounts.selectors",
    "annotation.accounts.services",
    "annotation.accounts.sso.entering",
    "annotation.accounts.sso.identities",
    "annotation.accounts.tokens.issuing",
    "annotation.projects.api.access",
    "annotation.projects.selectors",
    "annotation.projects.services.members",
    "annotation.projects.services.protocols",
    "annotation.known_answers.services",
    "annotation.assignments.selectors.open_work",
    "annotation.judgments.selectors",
    "annotation.judgments.services.revising",
    "annotation.judgments.services.recording",
}
# Made beside them, for leads alone.
FOR_LEADS = {
    "too_many_invitation_mails",
    "invitation_ended",
    "known_answer_not_found",
    "member_not_found",
    "protocol_changed_meanwhile",
    "unusable_mark",
    "unusable_protocol",
}
# Only programs bring a token, or a key that they used before.
FOR_PROGRAMS = {"token_invalid", "token_refused", "too_many_wrong_tokens", "idempotency_key_reused"}
# Made without an exception class of their own: by the framework, the address or a later step.
OTHERS = {
    "invalid_input",
    "internal",
    "csrf_failed",
    "no_such_address",
    "last_lead",
    "last_owner",
    "judgment_closed",
}


def domain_errors(parent: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    for child in parent.__subclasses__():
        yield child
        yield from domain_errors(child)


def codes_met() -> set[str]:
    # All views are imported with the addresses, and all errors with the views.
    assert get_resolver().url_patterns
    codes = (
        {error.code for error in domain_errors() if error.__module__ in MODULES} - FOR_LEADS - FOR_PROGRAMS
    )
    return codes | OTHERS | {*Refusal}


def codes_in_source() -> set[str]:
    sources = [
        path.read_text() for folder in ("annotation", "common") for path in (ROOT / folder).rglob("*.py")
    ]
    written = {code for text in sources for code in re.findall(r'\bcode ?= ?"(\w+)"', text)}
    assert get_resolver().url_patterns
    return written | {error.code for error in domain_errors()} | {*Refusal}


def languages() -> list[str]:
    return [key for key, _ in settings.LANGUAGES if key != settings.LANGUAGE_CODE]


@pytest.mark.parametrize("language", languages())
class TestErrorWords:
    def test_are_there_for_all_that_annotators_meet(self, language: str) -> None:
        errors = json.loads((LOCALES / f"{language}.json").read_text())["errors"]
        assert codes_met() - set(errors) == set()

    def test_name_no_code_that_is_gone(self, language: str) -> None:
        errors = json.loads((LOCALES / f"{language}.json").read_text())["errors"]
        assert set(errors) - codes_in_source() == set()


class TestCatalogs:
    def test_are_there_for_all_languages_and_no_other(self) -> None:
        assert sorted(path.stem for path in LOCALES.glob("*.json")) == sorted(languages())

    def test_the_modules_named_here_make_errors(self) -> None:
        assert get_resolver().url_patterns
        assert MODULES - {error.__module__ for error in domain_errors()} == set()
