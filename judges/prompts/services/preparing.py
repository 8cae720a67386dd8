"""Get an LLM judge ready for a run: fix the version of its prompt, choose its examples, and keep them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import ProjectNotFound, get_membership
from annotation.projects.services import note_opening
from common.clock import now
from common.errors import Invalid
from judges.methods.llm.prompts import BUILT_IN, PromptTemplate, WorkedExample, hash_examples
from judges.prompts.models import ExampleSet
from judges.prompts.selectors import decided_items, find_prompt
from judges.protocol import JudgeInput

EXAMPLES = 4
MAY_SEE_DECISIONS = frozenset({Membership.Role.LEAD, Membership.Role.ADJUDICATOR})


class ExamplesUnusable(Invalid):
    """The prompt needs worked examples, and these cannot be taken from where they were asked for."""

    code = "examples_unusable"


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

    Nothing is written, and the same call on unchanged data returns the same. Raises `PromptNotFound` and
    `ExamplesUnusable`.
    """
    template = find_prompt(project=project, reference=options["prompt"])
    examples = _choose_examples(project, options, by) if template.needs_examples else ()
    return Prepared(
        options={**options, "prompt": _reference(template)},
        template=template,
        examples=examples,
        context={"prompt_hash": template.hash, "examples_hash": hash_examples(examples)},
    )


def _reference(template: PromptTemplate) -> str:
    # Assay's own have one version at a time; a project's may get another while a run is at work.
    return template.key if template.key in BUILT_IN else f"{template.key}@{template.version}"


def _choose_examples(
    project: Project, options: Mapping[str, Any], by: User | None
) -> tuple[WorkedExample, ...]:
    from judges.methods.embedding import choose_examples

    source = _source(project, options["examples_project"], by)
    decided = decided_items(project=source, system=options["examples_system"])
    if len(decided) < EXAMPLES:
        raise _unusable(
            "examples_system" if options["examples_system"] else "examples_project",
            f"People decided {len(decided)} such answers in “{source.slug}”; at least {EXAMPLES} are needed.",
        )
    items = [JudgeInput(each.question, each.answer, each.golds) for each in decided]
    return tuple(decided[place] for place in choose_examples(items, count=EXAMPLES, seed=options["seed"]))


def _source(project: Project, slug: str, by: User | None) -> Project:
    if not slug or slug == project.slug:
        raise _unusable("examples_project", "Name another project, whose decided answers become examples.")
    found = Project.objects.filter(slug=slug).first() if by is None else _project_of(by, slug)
    if found is None:
        raise _unusable("examples_project", f"You lead no other project “{slug}”.")
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
