"""Save, apply and undo policies."""

from judges.prejudging.services.applying import (
    NoRules,
    apply_policy,
    sweep_applications,
    work_if_small,
    work_on_application,
)
from judges.prejudging.services.policies import CheckedPolicy, PolicyRefused, make_policy, save_policy
from judges.prejudging.services.undoing import NoSuchRule, NotToBeUndone, undo_application

__all__ = [
    "CheckedPolicy",
    "NoRules",
    "NoSuchRule",
    "NotToBeUndone",
    "PolicyRefused",
    "apply_policy",
    "make_policy",
    "save_policy",
    "sweep_applications",
    "undo_application",
    "work_if_small",
    "work_on_application",
]
