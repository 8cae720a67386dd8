"""Write items: take files in, check, apply and undo them, draw the sample, describe systems."""

from annotation.items.services.applying import (
    apply_import,
    confirm_import,
    fail_import,
    in_use,
    leaving_answers,
    sweep_imports,
    take_out,
    undo_import,
)
from annotation.items.services.corrections import correct_question, describe_system
from annotation.items.services.samples import (
    count_gold_to_join,
    leave_out,
    mark_sample,
    renew_gold_among_answers,
    set_sample,
)
from annotation.items.services.uploads import (
    NotBeingChecked,
    cancel_check,
    check_import,
    create_import,
    discard_import,
    recheck_import,
)
