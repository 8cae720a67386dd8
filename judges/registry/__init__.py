"""The judges there are: one literal table; listing it loads no judge and no model library."""

from judges.registry.entries import JudgeEntry, Needs, Reads
from judges.registry.making import (
    RECORDED_PREFIX,
    UnknownJudge,
    display_name,
    get_entry,
    is_available,
    make_judge,
    make_options,
    options_of,
)
from judges.registry.signatures import hash_signature, make_signature
from judges.registry.table import JUDGES, TAG_PROPOSER

__all__ = [
    "JUDGES",
    "RECORDED_PREFIX",
    "TAG_PROPOSER",
    "JudgeEntry",
    "Needs",
    "Reads",
    "UnknownJudge",
    "display_name",
    "get_entry",
    "hash_signature",
    "is_available",
    "make_judge",
    "make_options",
    "make_signature",
    "options_of",
]
