"""How far first-round raters agree: over all, and in parts of the study."""

from annotation.agreement.rules.measures import (
    AC1,
    FLEISS,
    MISSING,
    OBSERVED,
    OF_RATERS,
    ORDINAL,
    AgreementFigures,
    AgreementReport,
    bound_kinds,
    measure_agreement,
    measure_pilot,
    to_json,
)
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
