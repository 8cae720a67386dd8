"""Write projects, protocols, members and invitations."""

from annotation.projects.services.invitations import (
    UnusableReason,
    accept_invitation,
    invite,
    revoke_invitation,
    unusable_reason,
)
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
    add_member,
    change_member,
    leave_all_projects,
    leave_project,
    note_opening,
)
from annotation.projects.services.protocols import UnusableProtocol, read_protocol, set_protocol
from annotation.projects.services.readings import read_guidelines
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep, merge_changes, sweep_upkeep
