"""Write projects, protocols, members and invitations."""

from annotation.projects.services.making import (
    SlugTaken,
    UnknownPreset,
    copy_project,
    create_project,
    rename_project,
    require_creator,
    set_cleaning,
    set_state,
)
from annotation.projects.services.members import (
    LastLead,
    MemberNotFound,
    UnusableReason,
    accept_invitation,
    add_member,
    change_member,
    invite,
    leave_all_projects,
    leave_project,
    note_opening,
    revoke_invitation,
    unusable_reason,
)
from annotation.projects.services.protocols import (
    UnusableProtocol,
    read_guidelines,
    read_protocol,
    set_protocol,
)
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep, merge_changes, sweep_upkeep
