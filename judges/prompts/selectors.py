"""Read prompts, worked examples, and what a run's LLM judge is made with."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.adjudication.models import Decision
from annotation.gold.selectors.ledger import gold_lists
from annotation.items.models import Candidate
from annotation.items.selectors import hash_passages, passage_texts
from annotation.projects.models import Project
from common.errors import NotFound
from judges.connections.models import Connection
from judges.connections.selectors import describe_connection
from judges.methods.llm.prompts import BUILT_IN, PromptTemplate, WorkedExample, hash_examples
from judges.prompts.models import Prompt
from judges.protocol import JudgeFailed, JudgeInput


def decided_items(*, project: Project, system: str = "") -> list[WorkedExample]:
    """Return the answers that people decided, with their original golds, in the order of the questions.

    system: only what a system of this name answered; all answers where it is empty. What a program decided
    is left out, and so are questions without a gold answer.
    """
    accepted = project.protocol.rules.accepted_keys if project.protocol else frozenset()
    golds = gold_lists(project, False)
    decisions = Decision.objects.in_force().filter(candidate__project=project)
    decisions = decisions.without_programs()
    if system:
        decisions = decisions.filter(candidate__predictions__system__name=system)
    rows = (
        decisions.order_by("candidate__question__position", "candidate__question_id", "candidate_id")
        .values_list("candidate__question_id", "candidate__question__text", "candidate__text", "label")
        .distinct()
    )
    return [
        WorkedExample(question, tuple(golds[question_id]), answer, label in accepted)
        for question_id, question, answer, label in rows
        if golds[question_id]
    ]


class PromptNotFound(NotFound):
    """There is no prompt of this name, neither Assay's nor the project's own."""


class NoExampleAnswer(NotFound):
    """The project has no such answer, or none at all."""


class ListedPrompt(NamedTuple):
    """A prompt in a list; `public_id` is empty where it comes with Assay."""

    template: PromptTemplate
    public_id: str = ""


def find_prompt(*, project: Project, reference: str) -> PromptTemplate:
    """Return the prompt that "key" (newest version) or "key@version" names; raises `PromptNotFound`."""
    key, _, version = reference.partition("@")
    own = BUILT_IN.get(key)
    if own is not None and version in {"", str(own.version)}:
        return own
    found = project.prompts.filter(key=key).order_by("-version")
    if version:
        found = found.filter(version=int(version) if version.isdecimal() and len(version) < 9 else 0)
    prompt = found.first()
    if prompt is None:
        raise PromptNotFound(f"The prompt “{reference}” does not exist.")
    return prompt.as_template()


def list_prompts(*, project: Project) -> list[ListedPrompt]:
    """Return Assay's prompts, then the project's own, newest version first."""
    own = project.prompts.order_by("key", "-version")
    return [
        *(ListedPrompt(template) for template in BUILT_IN.values()),
        *(ListedPrompt(prompt.as_template(), prompt.public_id) for prompt in own),
    ]


def get_prompt(*, project: Project, public_id: str) -> ListedPrompt:
    """Return one of the project's own prompts; raises `PromptNotFound`."""
    prompt = Prompt.objects.filter(project=project, public_id=public_id).first()
    if prompt is None:
        raise PromptNotFound("This project has no such prompt.")
    return ListedPrompt(prompt.as_template(), prompt.public_id)


def example_input(*, project: Project, candidate: str = "") -> JudgeInput:
    """Return an answer of the project with its question and golds, the first one if none is named.

    Raises `NoExampleAnswer`.
    """
    candidates = Candidate.objects.filter(project=project).select_related("question")
    if candidate:
        candidates = candidates.filter(public_id=candidate)
    found = candidates.order_by("question__position", "question_id", "pk").first()
    if found is None:
        raise NoExampleAnswer("This project has no such answer.")
    golds = gold_lists(project, False, question_ids={found.question_id})[found.question_id]
    passages = passage_texts(question_ids=[found.question_id])
    return JudgeInput(
        question=found.question.text,
        answer=found.text,
        golds=tuple(golds),
        passages=passages.get(found.question_id, ()),
    )


CONNECTION_CHANGED = (
    "The connection no longer uses the model with which this run was started. Start the judge again, "
    "or change the connection back."
)
PASSAGES_CHANGED = (
    "Passages have been imported or removed since this run was started, and its prompt contains them. "
    "Start the judge again."
)
PROMPT_CHANGED = "The prompt or its examples have changed since this run was started. Start the judge again."


class LlmResources(NamedTuple):
    """What an LLM judge is made with, besides its client."""

    template: PromptTemplate
    examples: tuple[WorkedExample, ...]


def find_resources(
    *, project: Project, options: Mapping[str, Any], stated: Mapping[str, str], connection: Connection
) -> LlmResources:
    """Return the prompt and the examples of a run.

    options: as `prepare_llm` returned them. stated: what makes its verdicts, by name. Raises `JudgeFailed`
    where they, or what `connection` leads to, are no longer what they were: a verdict must not stand under a
    signature that did not produce it.
    """
    # No API is named where it is OpenAI's.
    described: dict[str, str | None] = {"api": None, **describe_connection(connection)}
    if any(stated.get(name) != value for name, value in described.items()):
        raise JudgeFailed(CONNECTION_CHANGED, retryable=False, pauses_run=True)
    try:
        template = find_prompt(project=project, reference=options["prompt"])
    except PromptNotFound:
        raise JudgeFailed(PROMPT_CHANGED, retryable=False, pauses_run=True) from None
    examples = find_examples(project=project, examples_hash=stated.get("examples_hash", ""))
    if (template.hash, hash_examples(examples)) != (stated.get("prompt_hash"), stated.get("examples_hash")):
        raise JudgeFailed(PROMPT_CHANGED, retryable=False, pauses_run=True)
    if template.needs_passages and hash_passages(project=project) != stated.get("passages_hash"):
        raise JudgeFailed(PASSAGES_CHANGED, retryable=False, pauses_run=True)
    return LlmResources(template, examples)


def find_examples(*, project: Project, examples_hash: str) -> tuple[WorkedExample, ...]:
    """Return the worked examples that were chosen under this hash; none where there are no such."""
    found = project.example_sets.filter(hash=examples_hash).first()
    return found.as_examples() if found else ()
