"""Find and list prompts: those that come with Assay and a project's own."""

from typing import NamedTuple

from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.errors import NotFound
from judges.methods.llm.prompts import BUILT_IN, PromptTemplate
from judges.prompts.models import Prompt
from judges.protocol import JudgeInput


class PromptNotFound(NotFound):
    """There is no prompt of this name, neither Assay's nor the project's own."""

    code = "prompt_not_found"


class NoExampleAnswer(NotFound):
    """The project has no such answer, or none at all."""

    code = "no_example_answer"


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
        raise PromptNotFound(f"There is no prompt “{reference}”.")
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
    return JudgeInput(question=found.question.text, answer=found.text, golds=tuple(golds))
