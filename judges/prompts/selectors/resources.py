"""Find what an LLM judge is made with when a run that was prepared goes on."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.connections.selectors import describe_connection
from judges.methods.llm.prompts import PromptTemplate, WorkedExample, hash_examples
from judges.prompts.selectors.listing import PromptNotFound, find_prompt
from judges.protocol import JudgeFailed

CONNECTION_CHANGED = (
    "The connection no longer leads to the model that this run was started with. Start it again, or change "
    "the connection back."
)
PROMPT_CHANGED = "The prompt or its examples are no longer what this run was started with. Start it again."


class LlmResources(NamedTuple):
    """What an LLM judge is made with, besides its client."""

    template: PromptTemplate
    examples: tuple[WorkedExample, ...]


def find_resources(
    *, project: Project, options: Mapping[str, Any], signature: str, connection: Connection
) -> LlmResources:
    """Return the prompt and the examples that the signature of a run names.

    options: as `prepare_llm` returned them. Raises `JudgeFailed` where they, or what `connection` leads
    to, are no longer what they were: a verdict must not stand under a signature that did not produce it.
    """
    stated = _read_signature(signature)
    if any(stated.get(name) != value for name, value in describe_connection(connection).items()):
        raise JudgeFailed(CONNECTION_CHANGED, retryable=False, pauses_run=True)
    try:
        template = find_prompt(project=project, reference=options["prompt"])
    except PromptNotFound:
        raise JudgeFailed(PROMPT_CHANGED, retryable=False, pauses_run=True) from None
    examples = find_examples(project=project, examples_hash=stated.get("examples_hash", ""))
    if (template.hash, hash_examples(examples)) != (stated.get("prompt_hash"), stated.get("examples_hash")):
        raise JudgeFailed(PROMPT_CHANGED, retryable=False, pauses_run=True)
    return LlmResources(template, examples)


def _read_signature(signature: str) -> dict[str, str]:
    # As `registry.make_signature` writes it.
    parts = (part.partition(":")[::2] for part in signature.split("|"))
    return {name: value.replace("%7C", "|").replace("%25", "%") for name, value in parts}


def find_examples(*, project: Project, examples_hash: str) -> tuple[WorkedExample, ...]:
    """Return the worked examples that were chosen under this hash; none where there are no such."""
    found = project.example_sets.filter(hash=examples_hash).first()
    return found.as_examples() if found else ()
