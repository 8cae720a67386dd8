"""Write prompts, and get what an LLM judge is made with ready."""

from judges.prompts.services.preparing import ExamplesUnusable, Prepared, keep_examples, prepare_llm
from judges.prompts.services.versions import PromptKeyTaken, UnusablePrompt, add_prompt, make_draft

__all__ = [
    "ExamplesUnusable",
    "Prepared",
    "PromptKeyTaken",
    "UnusablePrompt",
    "add_prompt",
    "keep_examples",
    "make_draft",
    "prepare_llm",
]
