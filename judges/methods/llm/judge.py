"""The LLM judge: ask a model about each answer, and believe its reply only where it can be read."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from judges.methods.llm.client import CHAT, Completion, CompletionClient, CompletionRequest
from judges.methods.llm.emptiness import CONTENT_FREE, EMPTY, find_emptiness, says_next_to_nothing
from judges.methods.llm.parsing import READERS, read_reply
from judges.methods.llm.prompts import DEFAULT_PROMPT, PromptTemplate
from judges.methods.llm.rendering import WorkedExample, render, shuffled_golds
from judges.methods.llm.suspicion import find_suspicions
from judges.protocol import JudgeInput, UnusableOption, Verdict, option

TIED = "tied"
UNSTABLE = "unstable"
BETWEEN_REPLIES = "\n\n----\n\n"

# Elsewhere the first word of a reply is not the verdict, so its probability says nothing.
_PARSERS_OF_FIRST_WORDS = frozenset({"first-word", "strict"})


@dataclass(frozen=True)
class LlmOptions:
    """How a model is asked."""

    prompt: str = option(
        DEFAULT_PROMPT, help="The prompt: a built-in key, or an own prompt as key or key@version."
    )
    parser: str = option(
        "auto", choices=("auto", *READERS), help="How a reply is read; auto is what the prompt says."
    )
    temperature: float = option(0.0, help="0 for the likeliest reply.", between=(0.0, 2.0))
    max_tokens: int = option(
        100, help="The longest reply; one that is cut off is no verdict.", between=(1, 100_000)
    )
    repeats: int = option(1, help="Ask so often and take the majority; every call is paid.", between=(1, 25))
    shuffle_golds: bool = option(False, help="Give the gold answers in a random order that the seed decides.")
    seed: int = option(0, help="Decides the order of gold answers and the markers around data.")
    logprobs: bool = option(
        False, help="Ask for P(yes), where the server offers it and the verdict comes first."
    )
    examples_project: str = option(
        "", help="For in-context prompts: the project to take worked examples from."
    )
    examples_system: str = option(
        "", help="For in-context prompts: only answers of this system, if it has any."
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
            raise UnusableOption("examples_project", "this prompt needs worked examples from another project")
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
        return verdict._replace(score=None if verdict.accepted is None else probability_of_yes(completion))

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
            wants_logprobs=options.logprobs and self._parser in _PARSERS_OF_FIRST_WORDS,
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


def probability_of_yes(completion: Completion) -> float | None:
    """Return P(yes) among yes and no where the verdict stands; None where the server offered neither."""
    shares = {"yes": 0.0, "no": 0.0}
    for token, logarithm in completion.logprobs:
        word = "".join(filter(str.isalpha, token)).lower()
        if word in shares:
            shares[word] += math.exp(min(logarithm, 0.0))
    total = sum(shares.values())
    return shares["yes"] / total if total else None


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
