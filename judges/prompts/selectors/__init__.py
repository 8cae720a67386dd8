"""Read prompts, worked examples, and what a run's LLM judge is made with."""

from judges.prompts.selectors.examples import decided_items
from judges.prompts.selectors.listing import (
    ListedPrompt,
    NoExampleAnswer,
    PromptNotFound,
    example_input,
    find_prompt,
    get_prompt,
    list_prompts,
)
from judges.prompts.selectors.resources import (
    CONNECTION_CHANGED,
    PROMPT_CHANGED,
    LlmResources,
    find_resources,
)

__all__ = [
    "CONNECTION_CHANGED",
    "PROMPT_CHANGED",
    "ListedPrompt",
    "LlmResources",
    "NoExampleAnswer",
    "PromptNotFound",
    "decided_items",
    "example_input",
    "find_prompt",
    "find_resources",
    "get_prompt",
    "list_prompts",
]
