"""Which column means what: by the names that files use, by what it holds, and by what people say."""

from annotation.items.formats.columns.checks import checks_in
from annotation.items.formats.columns.fields import field_at, fields_like, is_of_turns
from annotation.items.formats.columns.guessing import ROWS_LOOKED_AT, VOTES, Guess, guess, is_question
from annotation.items.formats.columns.mapping import BadMapping, parse_mapping
from annotation.items.formats.columns.names import (
    IGNORE,
    MAPPABLE,
    MEANING_BY_NAME,
    OF_ROW_NUMBERS,
    QUESTION_NAMES,
    SYNONYMS,
    TEXT_NAMES,
    VOTE_PREFIX,
    WIDE_PREFIX,
    Column,
    base_of,
    closest,
    is_about_row,
    is_alias,
    is_prompt,
    key_of,
    known_meaning,
    may_hold_votes,
    meaning_of,
    star_in,
    understand,
)
from annotation.items.formats.columns.preferences import comparison_in
from annotation.items.formats.columns.samples import ColumnSamples, beginning
