"""Write items: take files in, check, apply and undo them, draw the sample, describe systems."""

from annotation.items.services.applying import apply_import, confirm_import, fail_import
from annotation.items.services.checking import NotBeingChecked, cancel_check, check_import
from annotation.items.services.correcting import UnusableCorrection, correct_question
from annotation.items.services.gold_among import count_gold_to_join, renew_gold_among_answers
from annotation.items.services.removing import ImportInUse, in_use, leaving_answers, take_out
from annotation.items.services.sampling import leave_out, mark_sample, set_sample
from annotation.items.services.sweeping import sweep_imports
from annotation.items.services.systems import describe_system
from annotation.items.services.undoing import undo_import
from annotation.items.services.uploading import create_import, discard_import, recheck_import

__all__ = [
    "ImportInUse",
    "NotBeingChecked",
    "UnusableCorrection",
    "apply_import",
    "cancel_check",
    "check_import",
    "confirm_import",
    "correct_question",
    "count_gold_to_join",
    "create_import",
    "describe_system",
    "discard_import",
    "fail_import",
    "in_use",
    "leave_out",
    "leaving_answers",
    "mark_sample",
    "recheck_import",
    "renew_gold_among_answers",
    "set_sample",
    "sweep_imports",
    "take_out",
    "undo_import",
]
