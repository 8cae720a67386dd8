"""HTTP for agreement: over all, in parts of the study, and in its pilots."""

from annotation.agreement.api.answers import AgreementSlicesView, AgreementView
from annotation.agreement.api.figures import DIMENSIONS
from annotation.agreement.api.pilots import PilotAgreementView

__all__ = ["DIMENSIONS", "AgreementSlicesView", "AgreementView", "PilotAgreementView"]
