"""Write prompts, and get what an LLM judge is made with ready."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.items.selectors import hash_passages
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import ProjectNotFound, get_membership
from annotation.projects.services.members import note_opening
from common.clock import now
from common.errors import Conflict, Invalid
from judges.methods.llm.parsing import LABEL_SCHEMA
from judges.methods.llm.prompts import (
    BUILT_IN,
    BrokenTemplate,
    PromptTemplate,
    WorkedExample,
    hash_examples,
    require_usable,
)
from judges.prompts.models import ExampleSet, Prompt
from judges.prompts.selectors import decided_items, find_prompt
from judges.protocol import JudgeInput

EXAMPLES = 4
MAY_SEE_DECISIONS = frozenset({Membership.Role.LEAD, Membership.Role.ADJUDICATOR})


class ExamplesUnusable(Invalid):
    """The prompt needs worked examples, and these cannot be taken from where they were asked for."""


class PassagesMissing(Invalid):
    """The prompt asks for passages, and the project has none."""


class Prepared(NamedTuple):
    """What a run of an LLM judge is started with.

    options: with the prompt's version fixed. context: what its signature names, besides options, gold and
    connection.
    """

    options: dict[str, Any]
    template: PromptTemplate
    examples: tuple[WorkedExample, ...]
    context: dict[str, str]


def prepare_llm(*, project: Project, options: Mapping[str, Any], by: User | None) -> Prepared:
    """Fix what a run will ask with; `by` is who starts it, None for the operator at the command line.

    Nothing is written, and the same call on unchanged data returns the same. Raises `PromptNotFound`,
    `ExamplesUnusable` and `PassagesMissing`.
    """
    template = find_prompt(project=project, reference=options["prompt"])
    examples = _choose_examples(project, options, by) if template.needs_examples else ()
    return Prepared(
        options={**options, "prompt": _reference(template)},
        template=template,
        examples=examples,
        context={
            "prompt_hash": template.hash,
            "examples_hash": hash_examples(examples),
            **_context_of_passages(project, template),
        },
    )


def _context_of_passages(project: Project, template: PromptTemplate) -> dict[str, str]:
    """Return the hash of the project's passages where the prompt asks for them; raises `PassagesMissing`."""
    if not template.needs_passages:
        return {}
    passages_hash = hash_passages(project=project)
    if passages_hash is None:
        message = (
            "The prompt contains {passages}, but no question in this project has passages. Import passages, "
            "or choose another prompt."
        )
        raise PassagesMissing(message, details={"fields": {"prompt": [message]}})
    return {"passages_hash": passages_hash}


def _reference(template: PromptTemplate) -> str:
    # Assay's own have one version at a time; a project's may get another while a run is at work.
    return template.key if template.key in BUILT_IN else f"{template.key}@{template.version}"


def _choose_examples(
    project: Project, options: Mapping[str, Any], by: User | None
) -> tuple[WorkedExample, ...]:
    from judges.methods.neural.embedding import choose_examples

    source = _source(project, options["examples_project"], by)
    decided = decided_items(project=source, system=options["examples_system"])
    if len(decided) < EXAMPLES:
        raise _unusable(
            "examples_system" if options["examples_system"] else "examples_project",
            f"“{source.slug}” has too few answers that people have decided and that can be examples "
            f"({len(decided)}; at least {EXAMPLES} are needed). Choose another project or system.",
        )
    items = [JudgeInput(each.question, each.answer, each.golds) for each in decided]
    return tuple(decided[place] for place in choose_examples(items, count=EXAMPLES, seed=options["seed"]))


def _source(project: Project, slug: str, by: User | None) -> Project:
    if not slug or slug == project.slug:
        raise _unusable("examples_project", "Name another project. Its decided answers become the examples.")
    found = Project.objects.filter(slug=slug).first() if by is None else _project_of(by, slug)
    if found is None:
        raise _unusable(
            "examples_project",
            f"“{slug}” must be another project, and you must be a lead or adjudicator in it.",
        )
    return found


def _project_of(user: User, slug: str) -> Project | None:
    try:
        membership = get_membership(user=user, slug=slug)
    except ProjectNotFound:
        return None
    if membership.role not in MAY_SEE_DECISIONS:
        return None
    # Its decided answers show in the prompts of the run.
    note_opening(member=membership)
    return membership.project


def _unusable(option: str, reason: str) -> ExamplesUnusable:
    return ExamplesUnusable(reason, details={"fields": {option: [reason]}})


def keep_examples(*, project: Project, examples: tuple[WorkedExample, ...]) -> None:
    """Keep what a run is about to ask with, so that it asks so to its end; none, where there are none."""
    if not examples:
        return
    ExampleSet.objects.get_or_create(
        project=project,
        hash=hash_examples(examples),
        defaults={"examples": [list(example) for example in examples], "created_at": now()},
    )


LABEL_PARSER = "label"


class UnusablePrompt(Invalid):
    """The template cannot be a prompt; the message says why."""


class PromptKeyTaken(Conflict):
    """A prompt of Assay's has this key, or the same version was just made."""


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
        raise PromptKeyTaken(f"“{draft.key}” is a built-in prompt. Choose another key.")
    newest = project.prompts.filter(key=draft.key).order_by("-version").first()
    if newest is not None and (newest.hash, newest.name) == (draft.hash, draft.name):
        return newest
    try:
        with transaction.atomic():
            return _insert(project, by, replace(draft, version=newest.version + 1 if newest else 1))
    except IntegrityError:
        raise PromptKeyTaken("Somebody else has just changed this prompt. Reload it and try again.") from None


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
