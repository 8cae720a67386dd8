"""What the table says of a judge."""

from enum import StrEnum
from typing import NamedTuple


class Reads(StrEnum):
    """What a judge compares an answer with."""

    GOLDS = "golds"
    PATTERNS = "patterns"
    VERDICTS = "verdicts"


class Needs(StrEnum):
    """What a judge is made with besides its options."""

    NOTHING = "nothing"
    CONNECTION = "connection"
    MEMBERS = "members"


class JudgeEntry(NamedTuple):
    """A row of the table.

    factory: "module:Class", imported when the judge is used. revision: raised whenever the same options
    may give another verdict. extra: what to install besides the core, and `requires` the modules it brings.
    is_lexical: a quick, pure function of the texts, so its runs take in what every import brings.
    is_automatic: started by itself after an import where there is what it reads. is_startable: false where
    verdicts only come from files or from people. reads: what it compares answers with; an answer without
    any is unscored. needs: what it is made with besides its options. batch_size: how many answers a worker
    takes at a time; a batch must end well within a run's lease. corpus_option: the option that, where it is
    on, has the judge made with all gold answers of the study (`corpus`); the signature holds their hash.
    compares_pairs: its work grows with the letters of an answer times those of its gold answers, so an answer
    is unscored where both are long (`methods.lengths`). states_probability: its score, where it has one, is
    the probability that the answer is right.
    """

    key: str
    name: str
    summary: str
    source: str
    factory: str
    revision: int
    extra: str | None = None
    requires: tuple[str, ...] = ()
    is_lexical: bool = False
    is_automatic: bool = False
    is_startable: bool = True
    reads: Reads = Reads.GOLDS
    needs: Needs = Needs.NOTHING
    batch_size: int = 1_000
    corpus_option: str = ""
    states_probability: bool = False
    compares_pairs: bool = False
