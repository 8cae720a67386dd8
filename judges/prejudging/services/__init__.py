"""Save, apply and undo policies."""

from judges.prejudging.services.applying import (
    apply_policy,
    sweep_applications,
    work_if_small,
    work_on_application,
)
from judges.prejudging.services.policies import CheckedPolicy, make_policy, save_policy
from judges.prejudging.services.undoing import undo_application
