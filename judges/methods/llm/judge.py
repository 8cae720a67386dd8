"""The LLM judge: ask a model about each answer, and believe its reply only where it can be read."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from judges.methods.llm.client import CHAT, Completion, CompletionClient, CompletionRequest
from judges.methods.llm.parsing import (
    CONTENT_FREE,
    EMPTY,
    READERS,
    find_emptiness,
    read_reply,
    says_next_to_nothing,
)
from judges.methods.llm.prompts import DEFAULT_PROMPT, PromptTemplate, WorkedExample, render, shuffled_golds
from judges.methods.llm.suspicion import find_suspicions
from judges.protocol import JudgeInput, UnusableOption, Verdict, option

TIED = "tied"
UNSTABLE = "unstable"
BETWEEN_REPLIES = "\n\n----\n\n"

# Of these it is known which token is the verdict: the first word, or the label of the JSON object.
_PARSERS_OF_ONE_TOKEN = frozenset({"first-word", "strict", "label"})


@dataclass(frozen=True)
class LlmOptions:
    """How a model is asked."""

    prompt: str = option(
        DEFAULT_PROMPT,
        help="The prompt: the key of a built-in prompt, or the key of one of your own, as key or "
        "key@version.",
    )
    parser: str = option(
        "auto", choices=("auto", *READERS), help="How replies are read; by default, as the prompt specifies."
    )
    temperature: float = option(
        0.0,
        help="Sampling temperature. At 0, the model always chooses the most likely next token.",
        between=(0.0, 2.0),
    )
    max_tokens: int = option(
        2000,
        help="Maximum tokens per reply, including a model’s reasoning. Truncated replies cost money and "
        "give no verdict; if they occur, raise this limit.",
        between=(1, 100_000),
    )
    repeats: int = option(
        1,
        help="Calls per answer; the majority verdict counts. Each call costs money.",
        between=(1, 25),
    )
    shuffle_golds: bool = option(False, help="Whether to shuffle the gold answers; the seed sets the order.")
    seed: int = option(0, help="Seed for the order of gold answers and the markers around data.")
    logprobs: bool = option(
        False,
        help="Whether to request P(yes); needs a server that offers it and a prompt that asks for a word "
        "or a label.",
    )
    examples_project: str = option(
        "", help="For in-context prompts: the project whose decided answers become examples."
    )
    examples_system: str = option(
        "", help="For in-context prompts: use only answers from this system as examples."
    )


class LlmJudge:
    """Asks a model. Sources: Kamalloo et al. 2023; Wang et al. 2023 (EVOUNA)."""

    Options = LlmOptions

    def __init__(
        self,
        options: LlmOptions,
        *,
        client: CompletionClient,
        template: PromptTemplate,
        endpoint: str = CHAT,
        examples: Sequence[WorkedExample] = (),
    ) -> None:
        if template.needs_examples and not examples:
            raise UnusableOption("examples_project", "this prompt needs examples from another project")
        self.options = options
        self._client = client
        self._template = template
        self._endpoint = endpoint
        self._examples = tuple(examples)
        self._parser = template.parser if options.parser == "auto" else options.parser

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Ask about each answer; raises `JudgeFailed` where the model could not be asked."""
        return [self._judge_one(item) for item in batch]

    def _judge_one(self, item: JudgeInput) -> Verdict:
        suspicions = find_suspicions(item.answer, question=item.question, golds=item.golds)
        if settled := _settle(item):
            return settled._replace(flags=(*suspicions, *settled.flags))
        if says_next_to_nothing(item.answer, golds=item.golds):
            suspicions = (*suspicions, CONTENT_FREE)
        replies = [self._ask(item, repeat=repeat) for repeat in range(self.options.repeats)]
        verdict = _majority(replies)
        return verdict._replace(flags=(*suspicions, *verdict.flags))

    def _ask(self, item: JudgeInput, *, repeat: int) -> Verdict:
        completion = self._client.complete(self.make_request(item, repeat=repeat))
        verdict = read_reply(
            reply=completion.text, finish_reason=completion.finish_reason, parser=self._parser
        )
        if verdict.accepted is None:
            return verdict._replace(score=None)
        return verdict._replace(score=probability_of_yes(completion, of_labels=self._parser == "label"))

    def make_request(self, item: JudgeInput, *, repeat: int = 0) -> CompletionRequest:
        """Return the call that asks about an answer for the nth time, from 0."""
        options = self.options
        if options.shuffle_golds:
            item = shuffled_golds(item, seed=options.seed, repeat=repeat)
        return CompletionRequest(
            messages=render(self._template, item, seed=options.seed, examples=self._examples),
            endpoint=self._endpoint,
            max_tokens=options.max_tokens,
            temperature=options.temperature,
            response_schema=self._template.response_schema,
            wants_logprobs=options.logprobs and self._parser in _PARSERS_OF_ONE_TOKEN,
            repeat=repeat,
        )


def _settle(item: JudgeInput) -> Verdict | None:
    """Reject what says nothing: models accept it, and would be paid for it."""
    if not item.golds:
        return Verdict(accepted=False)
    nothing = find_emptiness(item.answer, golds=item.golds)
    if not nothing:
        return None
    # That an answer is missing is no reason to look at it.
    return Verdict(accepted=False, flags=() if nothing == EMPTY else (nothing,))


def probability_of_yes(completion: Completion, *, of_labels: bool = False) -> float | None:
    """Return P(yes) among yes and no where the verdict stands; None where the server offered neither.

    of_labels: the verdict is a label, and its first token may be a part of it: "correct" counts as yes,
    "incorrect" and "not_attempted" as no; "c" could begin "cannot_judge" as well and counts as neither.
    """
    words = _LABEL_TOKENS if of_labels else _WORDS
    shares = {"yes": 0.0, "no": 0.0}
    for token, logarithm in completion.logprobs:
        said = words.get("".join(filter(str.isalpha, token)).lower())
        if said:
            shares[said] += math.exp(min(logarithm, 0.0))
    total = sum(shares.values())
    return shares["yes"] / total if total else None


def _beginnings(label: str, *, least: int) -> set[str]:
    return {label[:length] for length in range(least, len(label) + 1)}


_WORDS = {"yes": "yes", "no": "no"}
_LABEL_TOKENS = {
    **dict.fromkeys(_beginnings("correct", least=2), "yes"),
    **dict.fromkeys(_beginnings("incorrect", least=1) | _beginnings("notattempted", least=1), "no"),
}


def _majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return what most scored replies say; a tie, or nothing scored, is unscored. Dissent is flagged."""
    if len(verdicts) == 1:
        return verdicts[0]
    said = Counter(verdict.accepted for verdict in verdicts)
    reply = BETWEEN_REPLIES.join(verdict.raw_reply for verdict in verdicts)
    flags = (UNSTABLE,) if len(said) > 1 else ()
    if said[True] == said[False]:
        return Verdict(None, unscored_reason=_reason(verdicts), raw_reply=reply, flags=flags)
    return Verdict(said[True] > said[False], score=_mean_score(verdicts), raw_reply=reply, flags=flags)


def _reason(verdicts: Sequence[Verdict]) -> str:
    reasons = Counter(verdict.unscored_reason for verdict in verdicts if verdict.accepted is None)
    return TIED if len(verdicts) > reasons.total() else reasons.most_common(1)[0][0]


def _mean_score(verdicts: Sequence[Verdict]) -> float:
    """Return the mean P(yes) of the scored replies; one without a probability counts as 1 or 0."""
    scored = [verdict for verdict in verdicts if verdict.accepted is not None]
    scores = (float(bool(each.accepted)) if each.score is None else each.score for each in scored)
    return sum(scores) / len(scored)
