"""The judges there are: one literal table; listing it loads no judge and no model library."""

from judges.registry.entries import JudgeEntry, Needs, Reads
from judges.registry.making import (
    RECORDED_PREFIX,
    display_name,
    get_entry,
    is_available,
    make_judge,
    make_options,
    options_of,
)
from judges.registry.signatures import Stated, hash_signature, make_signature, sign, state_judge
from judges.registry.table import JUDGES, TAG_PROPOSER
