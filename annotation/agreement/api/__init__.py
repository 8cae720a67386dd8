"""HTTP for agreement: over all, in parts of the study, in its pilots, and what was decided in the end."""

from annotation.agreement.api.answers import AgreementSlicesView, AgreementView
from annotation.agreement.api.decisions import DecisionCountsView, DecisionIntervalsView
from annotation.agreement.api.figures import DIMENSIONS, RULES, VIEWS
from annotation.agreement.api.pilots import PilotAgreementView
