"""The sets of tags with which the papers explained errors: one literal table."""

from judges.tagging.rules.ready_made.efficientqa import EFFICIENTQA
from judges.tagging.rules.ready_made.evouna import EVOUNA_ANSWERS, EVOUNA_EVALUATORS
from judges.tagging.rules.ready_made.kamalloo import KAMALLOO

READY_MADE = {spec.key: spec for spec in (KAMALLOO, EFFICIENTQA, EVOUNA_ANSWERS, EVOUNA_EVALUATORS)}
