"""The judges there are, a row each; how they are made, and what signs their verdicts."""

import dataclasses
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from common.identifiers import as_text, spell
from judges.packaged import SEPARATOR, find_packaged_judges
from judges.protocol import (
    Judge,
    JudgeEntry,
    JudgeFailed,
    Needs,
    OptionDescription,
    Reads,
    describe_options,
    parse_options,
)

TRAINED_ON_NQ = (
    "The learned judge included with Assay was trained on Natural Questions (EVOUNA-NQ). On questions "
    "from that data set, its agreement with people is probably overstated."
)

# The one place that a new judge is added to.
_ENTRIES = (
    JudgeEntry(
        key="exact_match",
        name="Exact match",
        summary="The answer equals a gold answer after normalization.",
        source="Rajpurkar et al. 2016 (SQuAD v1.1)",
        factory="judges.methods.lexical.exact_match:ExactMatch",
        revision=1,
        is_lexical=True,
        is_automatic=True,
    ),
    JudgeEntry(
        key="token_f1",
        name="Token F1",
        summary="The words of the answer overlap enough with those of the closest gold answer.",
        source="Rajpurkar et al. 2016 (SQuAD v1.1)",
        factory="judges.methods.lexical.token_f1:TokenF1",
        revision=1,
        is_lexical=True,
        is_automatic=True,
    ),
    JudgeEntry(
        key="containment",
        name="Containment",
        summary="The answer contains a gold answer after normalization.",
        source="Wang et al. 2023 (EVOUNA / QA-Eval), lexical matching",
        factory="judges.methods.lexical.containment:Containment",
        revision=2,
        is_lexical=True,
        is_automatic=True,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="containment_words",
        name="Containment of whole words",
        summary="The answer contains a gold answer as whole words after normalization.",
        source="After Wang et al. 2023 (EVOUNA / QA-Eval), limited to whole words",
        factory="judges.methods.lexical.containment:ContainmentWords",
        revision=2,
        is_lexical=True,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="regex",
        name="Regular expression",
        summary="The answer matches a gold pattern.",
        source="Baudiš and Šedivý 2015 (CuratedTREC)",
        factory="judges.methods.lexical.regex:Regex",
        revision=2,
        is_lexical=True,
        is_automatic=True,
        reads=Reads.PATTERNS,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="fuzzy_match",
        name="Fuzzy Match",
        summary="The answer’s characters are similar enough to those of a gold answer.",
        source="Si et al. 2023 (GPT3QA), without synonyms",
        factory="judges.methods.fuzzy.fuzzy_match:FuzzyMatch",
        revision=2,
        is_lexical=True,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="fuzzy_match_wordnet",
        name="Fuzzy Match with synonyms",
        summary="The answer’s characters are similar enough to those of a gold answer or of a synonym.",
        source="Si et al. 2023 (GPT3QA), with WordNet 3.1",
        factory="judges.methods.fuzzy.fuzzy_match_wordnet:FuzzyMatchWordnet",
        revision=2,
        is_lexical=True,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="fuzzy_match_guarded",
        name="Fuzzy Match with guards",
        summary="Part of the answer is similar to a gold answer, and both give the same numbers, dates, "
        "and yes-or-no answer.",
        source="After Si et al. 2023 (GPT3QA); the guards are Assay’s",
        factory="judges.methods.fuzzy.fuzzy_match_guarded:FuzzyMatchGuarded",
        revision=3,
        is_lexical=True,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="learned",
        name="Learned judge",
        summary="A model trained on people’s judgments estimates, from the words used, how likely the answer "
        "is to be correct.",
        source="Assay’s own; trained on EVOUNA-NQ (Wang et al. 2023, QA-Eval)",
        factory="judges.methods.learned.judge:Learned",
        revision=2,
        is_lexical=True,
        is_automatic=True,
        states_probability=True,
        compares_pairs=True,
        explains=True,
        caution=TRAINED_ON_NQ,
    ),
    JudgeEntry(
        key="learned_memory",
        name="Learned judge with answer memory",
        summary="The learned judge, also using people’s decisions on other answers to the question.",
        source="Assay’s own; trained on EVOUNA-NQ (Wang et al. 2023, QA-Eval), calibrated on the study",
        factory="judges.methods.learned.memory:LearnedMemory",
        revision=3,
        needs=Needs.DECISIONS,
        states_probability=True,
        compares_pairs=True,
        explains=True,
        caution=TRAINED_ON_NQ,
    ),
    JudgeEntry(
        key="bertscore",
        name="BERTScore",
        summary="A language model represents the answer’s tokens similarly to those of a gold answer.",
        source="Zhang et al. 2020 (BERTScore), threshold of Wang et al. 2023 (EVOUNA / QA-Eval)",
        factory="judges.methods.neural.bertscore:BertScore",
        revision=2,
        extra="neural",
        requires=("torch", "transformers"),
        batch_size=64,
        corpus_option="idf",
        compares_pairs=True,
    ),
    JudgeEntry(
        key="bleurt",
        name="BLEURT",
        summary="A model trained on people’s ratings finds that the answer means the same as a gold answer.",
        source="Sellam et al. 2020 (BLEURT), threshold of Wang et al. 2023 (EVOUNA / QA-Eval)",
        factory="judges.methods.neural.bleurt:Bleurt",
        revision=2,
        extra="neural",
        requires=("torch", "transformers"),
        batch_size=16,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="bem",
        name="BEM",
        summary="A model trained on people’s judgments finds the answer equivalent to a gold answer.",
        source="Bulian et al. 2022 (BEM)",
        factory="judges.methods.neural.bem:Bem",
        revision=2,
        states_probability=True,
        extra="neural",
        requires=("torch", "transformers"),
        batch_size=32,
        compares_pairs=True,
    ),
    JudgeEntry(
        key="llm",
        name="LLM judge",
        summary="A language model is prompted to say whether the answer is correct.",
        source="Kamalloo et al. 2023; Wang et al. 2023 (EVOUNA / QA-Eval); a structured prompt of Assay’s "
        "own",
        factory="judges.methods.llm.judge:LlmJudge",
        revision=3,
        needs=Needs.CONNECTION,
        batch_size=1,
        states_probability=True,
    ),
    JudgeEntry(
        key="jury",
        name="Jury",
        summary="A rule combines the verdicts of other runs.",
        source="Assay’s own",
        factory="judges.methods.jury:Jury",
        revision=2,
        reads=Reads.VERDICTS,
        needs=Needs.MEMBERS,
    ),
    JudgeEntry(
        key="another_human",
        name="All annotators",
        summary="Each annotator’s votes, compared with the other annotators’ votes on the same answers.",
        source="Wang et al. 2023 (EVOUNA / QA-Eval), second pass by another person",
        factory="judges.methods.another_human:AnotherHuman",
        revision=1,
        is_startable=False,
    ),
    JudgeEntry(
        key="recorded",
        name="Recorded verdicts",
        summary="Verdicts of another judge, imported from a file.",
        source="Kamalloo et al. 2023 (OpenQA-eval), released verdicts",
        factory="judges.methods.recorded:Recorded",
        revision=2,
        states_probability=True,
        is_startable=False,
    ),
)

_PACKAGED = find_packaged_judges()
BROKEN_PACKAGES = _PACKAGED.broken

JUDGES: dict[str, JudgeEntry] = {entry.key: entry for entry in (*_ENTRIES, *_PACKAGED.entries)}

# Programs that are asked like judges, in runs, and judge nothing.
TAG_PROPOSER = "tag_proposer"
PROPOSERS = {
    TAG_PROPOSER: JudgeEntry(
        key=TAG_PROPOSER,
        name="Tag proposer",
        summary="A language model proposes tags in a tagging round.",
        source="After Wang et al. 2023 (EVOUNA / QA-Eval), where a model proposed and people confirmed",
        factory="judges.methods.llm.proposer:TagProposer",
        revision=1,
        is_startable=False,
        needs=Needs.CONNECTION,
        batch_size=1,
    ),
}


# Judges that have read what people decided of answers: people's labels can neither check nor correct them.
READS_PEOPLE = frozenset({"another_human", "learned_memory"})

RECORDED_PREFIX = "recorded:"


class UnknownJudge(LookupError):
    """No judge of this key is registered."""


def get_entry(key: str) -> JudgeEntry:
    """Return the row for a key; `recorded:bem` is a `recorded` judge. Raises `UnknownJudge`.

    The key of another package's judge always has a row, since that package may be gone.
    """
    found = JUDGES.get("recorded" if key.startswith(RECORDED_PREFIX) else key) or PROPOSERS.get(key)
    if found is None and SEPARATOR in key:
        # Its runs and verdicts stay readable; it judges nothing.
        return JudgeEntry(
            key=key,
            name=key,
            summary="The package of this judge is not installed.",
            source="",
            factory="",
            revision=0,
            is_startable=False,
        )
    if found is None:
        raise UnknownJudge(key)
    return found


def caution_of(signatures: Iterable[str]) -> str:
    """Return what has to be known of the weights of judges with these signatures; empty where nothing has.

    A jury’s signature names its members by hashes, so nothing is said of them.
    """
    keys = {signature.partition("|")[0].removeprefix("judge:") for signature in signatures}
    found = (JUDGES[key].caution for key in sorted(keys & JUDGES.keys()))
    return " ".join(dict.fromkeys(filter(None, found)))


def display_name(key: str) -> str:
    """Return what people call the judge of a run."""
    if key.startswith(RECORDED_PREFIX):
        return f"{key.removeprefix(RECORDED_PREFIX)} (recorded)"
    return get_entry(key).name


def is_available(entry: JudgeEntry) -> bool:
    """Say whether everything the judge needs is installed, without importing it."""
    return all(find_spec(module) is not None for module in entry.requires)


def options_of(entry: JudgeEntry) -> list[OptionDescription]:
    """Describe the judge's options for a form."""
    return describe_options(_judge_class(entry).Options)


def make_options(entry: JudgeEntry, given: Mapping[str, Any]) -> Any:
    """Return the judge's frozen options; raises `UnusableOption`."""
    return parse_options(_judge_class(entry).Options, given)


def make_judge(entry: JudgeEntry, given: Mapping[str, Any], **resources: Any) -> Judge:
    """Load the judge and set its options; raises `UnusableOption`.

    resources: what it needs besides (`entry.needs`), by the names of its constructor.
    """
    judge: Judge = _judge_class(entry)(make_options(entry, given), **resources)
    return judge


def _judge_class(entry: JudgeEntry) -> Any:
    if not entry.factory:
        raise JudgeFailed(entry.summary, retryable=False)
    module, name = entry.factory.split(":")
    return getattr(import_module(module), name)


Stated: TypeAlias = tuple[tuple[str, str], ...]


def state_judge(key: str, options: Any, **context: str) -> Stated:
    """Return what produces a verdict, name by name: judge, all options, context such as gold, revision."""
    entry = get_entry(key)
    package = {"package": entry.package} if entry.package else {}
    own = dataclasses.asdict(options)
    stated = {"judge": key, **own, **context, **package, "revision": entry.revision}
    return tuple((name, as_text(value)) for name, value in stated.items())


def sign(stated: Iterable[tuple[str, str]]) -> str:
    """Return what produces a verdict in one line.

    Equal signatures mean equal verdicts on equal answers. Source of the idea: sacrebleu (Post 2018).
    """
    return spell(**dict(stated))


def make_signature(key: str, options: Any, **context: str) -> str:
    """Return the line that signs a judge with these options in this context."""
    return sign(state_judge(key, options, **context))
