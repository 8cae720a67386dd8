"""Store prompts: a change is a new version."""

from dataclasses import replace

from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from judges.methods.llm.parsing import LABEL_SCHEMA
from judges.methods.llm.prompts import BUILT_IN, BrokenTemplate, PromptTemplate, require_usable
from judges.prompts.models import Prompt

LABEL_PARSER = "label"


class UnusablePrompt(Invalid):
    """The template cannot be a prompt; the message says why."""

    code = "unusable_prompt"


class PromptKeyTaken(Conflict):
    """A prompt of Assay's has this key, or the same version was just made."""

    code = "prompt_key_taken"


def make_draft(*, key: str, template: str, parser: str, name: str = "", system: str = "") -> PromptTemplate:
    """Return a prompt that is not stored; raises `UnusablePrompt`."""
    draft = PromptTemplate(
        key=key,
        version=0,
        name=name or key,
        system=system,
        template=template,
        parser=parser,
        # The schema follows from the parser: a server that enforces it lets the model say nothing else.
        response_schema=LABEL_SCHEMA if parser == LABEL_PARSER else None,
    )
    try:
        require_usable(draft)
    except BrokenTemplate as error:
        raise UnusablePrompt(error.reason, details={"fields": {error.field: [error.reason]}}) from None
    return draft


def add_prompt(*, project: Project, by: User, draft: PromptTemplate) -> Prompt:
    """Store a prompt, as the next version where the project has one of this key.

    One that equals the newest version is that version. Raises `PromptKeyTaken`.
    """
    if draft.key in BUILT_IN:
        raise PromptKeyTaken(f"“{draft.key}” is a prompt of Assay's own. Choose another key.")
    newest = project.prompts.filter(key=draft.key).order_by("-version").first()
    if newest is not None and (newest.hash, newest.name) == (draft.hash, draft.name):
        return newest
    try:
        with transaction.atomic():
            return _insert(project, by, replace(draft, version=newest.version + 1 if newest else 1))
    except IntegrityError:
        raise PromptKeyTaken("Somebody else just changed this prompt. Look at it and try again.") from None


def _insert(project: Project, by: User, draft: PromptTemplate) -> Prompt:
    return Prompt.objects.create(
        project=project,
        key=draft.key,
        name=draft.name,
        version=draft.version,
        system=draft.system,
        template=draft.template,
        parser=draft.parser,
        response_schema=draft.response_schema,
        hash=draft.hash,
        created_by=by,
        created_at=now(),
    )
