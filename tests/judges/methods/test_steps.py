"""No judge's work grows faster than its input: generated over the table of judges and hostile texts."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from judges import registry
from judges.methods.learned.reading import MOST_LETTERS
from judges.methods.lexical.golds import LEAST_LETTERS, MOST_PAIRS, TOO_LONG, is_too_long
from judges.methods.llm.client import Completion, CompletionRequest
from judges.methods.llm.judge import LlmOptions
from judges.methods.llm.parsing import READERS, read_reply
from judges.methods.llm.prompts import BUILT_IN
from judges.methods.llm.proposer import TagChoice, TagChoices
from judges.protocol import JudgeInput
from judges.runs.api import JudgeSerializer
from judges.runs.rules import reason_not_to_ask
from judges.tagging.rules.proposals import propose
from tests.counted_work import Counter, counted

pytestmark = pytest.mark.long

# Twice the input may take so much more, and what is done once for any input.
MARGIN = 2.3
ONCE = 2_000
COUNTED = ("analysis", "judges.methods", "judges.protocol", "judges.registry", "judges.tagging.rules")
SMALL = 1_000
# Judges that read a text to some length and no further: their work is bounded, if not even up to there.
READS_SO_MUCH = ("learned", "learned_memory")

# Of about so many letters each.
HOSTILE: dict[str, Callable[[int], str]] = {
    "words": lambda size: "to be or not to be that is the question " * (size // 40),
    "yes": lambda size: "yes " * (size // 4),
    "denied": lambda size: "yes isn't " * (size // 10),
    "articles": lambda size: "the a the an a " * (size // 15),
    "numbers": lambda size: "five million 12 May 1990 " * (size // 25),
    "one word": lambda size: "x" * size,
    "near misses": lambda size: "latitude altitude attitude " * (size // 27),
    "line ends": lambda size: "```" + "\n" * size,
    "spaces": lambda size: "yes" + " " * size + "no",
    "markers": lambda size: "<data-" * (size // 12) + "a>" * (size // 12),
    "loose ends": lambda size: "<" + ">" * size,
    "hidden": lambda size: "\u200bA" * (size // 2),
    "brackets": lambda size: "[" * size,
    "lists": lambda size: json.dumps([["a"] * 8] * (size // 40)),
}
JUDGES = [
    key
    for key, entry in registry.JUDGES.items()
    if not entry.requires and entry.reads is not registry.Reads.VERDICTS and entry.is_startable
]


class Parrot:
    """A model that repeats what it was asked."""

    def complete(self, request: CompletionRequest) -> Completion:
        return Completion(request.messages[-1].content, "stop")


class Counting:
    """Counted copies of what judges are made of, and what counts their steps."""

    def __init__(self, load: Callable[[str], Any], counter: Counter) -> None:
        self.load = load
        self.counter = counter

    def judge(self, key: str) -> Any:
        if key == "llm":
            found = self.load("judges.methods.llm.judge")
            return found.LlmJudge(LlmOptions(), client=Parrot(), template=BUILT_IN["structured"])
        registry_copy = self.load("judges.registry")
        resources = {"decided": ()} if key == "learned_memory" else {}
        return registry_copy.make_judge(registry_copy.get_entry(key), {}, **resources)

    def growth(self, work: Callable[[int], Callable[[], object]]) -> list[tuple[int, int]]:
        """Return the steps for an input and for twice of it, at two sizes, once what is made once is made."""
        work(SMALL // 3)()
        return list(pairwise([self.count(work(SMALL * 2**power)) for power in range(3)]))

    def count(self, work: Callable[[], object]) -> int:
        self.counter.steps = 0
        work()
        return self.counter.steps


@pytest.fixture(scope="module")
def counting() -> Iterator[Counting]:
    with counted(*COUNTED) as (load, counter):
        yield Counting(load, counter)


def grown(make: Callable[[int], str], side: str, size: int) -> JudgeInput:
    """Return an answer and its golds, of which one side is so large."""
    small = make(120)
    if side == "answer":
        return JudgeInput("who?", make(size), (small[:60], "altitude", "yes"), ("alti.ude",))
    if side == "gold":
        return JudgeInput("who?", small, (make(size),), ("x" * (size // 50),))
    # Others at each size: what was normalized or compiled before is kept.
    numbered = tuple(f"{small[:20]}{size}{number}" for number in range(size // 20))
    return JudgeInput("who?", small, numbered, numbered)


def grows_evenly(pairs: list[tuple[int, int]]) -> bool:
    return all(twice <= MARGIN * once + ONCE for once, twice in pairs)


def stops_growing(counting: Counting, work: Callable[[int], Callable[[], object]]) -> bool:
    """Say whether twice the text takes no more steps, once all is read that the judge reads."""
    work(SMALL)()
    once, twice = (counting.count(work(size)) for size in (2 * MOST_LETTERS, 4 * MOST_LETTERS))
    return twice <= 1.05 * once + ONCE


class TestEveryJudge:
    @pytest.mark.parametrize("key", JUDGES)
    @pytest.mark.parametrize("side", ["answer", "gold", "golds"])
    def test_takes_at_most_twice_the_steps_for_twice_the_text(
        self, key: str, side: str, subtests: pytest.Subtests, counting: Counting
    ) -> None:
        judge = counting.judge(key)
        for name, make in HOSTILE.items():
            with subtests.test(name):

                def work(size: int, make: Callable[[int], str] = make) -> Callable[[], object]:
                    item = grown(make, side, size)
                    return lambda: judge.judge([item])

                if key in READS_SO_MUCH and side != "golds":
                    assert stops_growing(counting, work)
                else:
                    assert grows_evenly(pairs := counting.growth(work)), pairs

    @pytest.mark.parametrize(
        "key", [key for key, entry in registry.JUDGES.items() if entry.reads is not registry.Reads.VERDICTS]
    )
    def test_says_why_it_does_not_compare_what_is_too_long(self, key: str) -> None:
        entry = registry.get_entry(key)
        most = MOST_PAIRS // LEAST_LETTERS
        for answer, golds in (("x" * most, ("y",)), ("y", ("x" * most,)), ("x" * 2000, ("y",) * 2000)):
            item = JudgeInput("q", answer, golds, golds)
            longer = item._replace(answer=item.answer + "x" * 100, golds=(*golds, "x" * 100))
            longer = longer._replace(patterns=longer.golds)
            assert reason_not_to_ask(item, entry=entry, is_original=True) == ""
            said = reason_not_to_ask(longer, entry=entry, is_original=True)
            assert said == (TOO_LONG if entry.compares_pairs else "")

    def test_says_so_where_it_is_started_and_in_the_documentation(self) -> None:
        told = JudgeSerializer(registry.get_entry("fuzzy_match")).data["limit"]
        assert "is not scored" in told
        assert f"{MOST_PAIRS // 10**6} million" in told
        documented = Path("docs/judges.md").read_text(encoding="utf-8")
        assert "`too_long`, where its letters times the letters of all its gold answers exceed " in documented
        assert f"{MOST_PAIRS // 10**6} million, each side counted as at least {LEAST_LETTERS}" in documented

    def test_is_asked_of_all_that_people_write(self) -> None:
        assert not is_too_long(answer="x" * 20_000, golds=("a name", "another name", "y" * 150))


class TestWhatSurroundsModels:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_reads_replies_evenly(self, name: str, counting: Counting) -> None:
        read_tags = counting.load("judges.methods.llm.proposer").read_tags
        read_copy = counting.load("judges.methods.llm.parsing").read_reply
        choices = TagChoices("answer", True, (TagChoice("a", "A", "", ""),))
        for parser in READERS:
            pairs = counting.growth(
                lambda size, parser=parser: (
                    lambda: read_copy(reply=HOSTILE[name](size), finish_reason="stop", parser=parser)
                )
            )
            assert grows_evenly(pairs), (parser, pairs)
        pairs = counting.growth(lambda size: lambda: read_tags(HOSTILE[name](size), choices=choices))
        assert grows_evenly(pairs), pairs

    @pytest.mark.parametrize("name", HOSTILE)
    def test_writes_prompts_and_looks_for_injection_evenly(self, name: str, counting: Counting) -> None:
        as_data = counting.load("judges.methods.llm.prompts").as_data
        find_suspicions = counting.load("judges.methods.llm.suspicion").find_suspicions
        for work in (as_data, find_suspicions):
            assert grows_evenly(counting.growth(lambda size, work=work: lambda: work(HOSTILE[name](size))))

    def test_reads_a_megabyte_of_line_ends_without_trying_them_pair_by_pair(self) -> None:
        assert read("```" + "\n" * 1_000_000 + "x", "label") == "unparsable"


def read(reply: str, parser: str) -> str:
    return read_reply(reply=reply, finish_reason="stop", parser=parser).unscored_reason


class TestRulesThatProposeTags:
    @pytest.mark.parametrize("side", ["answer", "gold", "golds"])
    def test_take_at_most_twice_the_steps_for_twice_the_text(self, side: str, counting: Counting) -> None:
        propose = counting.load("judges.tagging.rules.proposals").propose
        for name, make in HOSTILE.items():

            def work(size: int, make: Callable[[int], str] = make) -> Callable[[], object]:
                item = grown(make, side, size)
                return lambda: propose(set_key="kamalloo", answer=item.answer, golds=item.golds)

            assert grows_evenly(pairs := counting.growth(work)), (name, pairs)

    def test_propose_nothing_where_texts_are_too_long(self) -> None:
        golds = [f"gold {number}" for number in range(1_000)]
        assert propose(set_key="kamalloo", answer="gold 1 " * 10_000, golds=golds) is None
