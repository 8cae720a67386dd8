"""How far first-round raters agree: over all, in parts of the study, and in JSON."""

from annotation.agreement.rules.forms import intervals_json, slice_json, to_json, words_of
from annotation.agreement.rules.intervals import OF_RATERS, ORDINAL, Intervals, bound_kinds
from annotation.agreement.rules.measuring import MISSING, AgreementReport, measure_agreement, measure_pilot
from annotation.agreement.rules.slices import (
    OF_ANSWERS,
    OF_SYSTEMS,
    Dimension,
    Slice,
    group_rows,
    length_band,
    measure_slices,
    question_type,
)
from annotation.agreement.rules.votes import FirstRound, LabelView, disagreeing_items, first_turns
