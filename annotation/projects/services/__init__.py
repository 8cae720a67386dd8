"""Write projects, protocols, members and invitations."""

from annotation.projects.services.invitations import (
    AlreadyMember,
    InvitationNotFound,
    NewInvitation,
    UnusableReason,
    accept_invitation,
    invite,
    revoke_invitation,
    unusable_reason,
)
from annotation.projects.services.making import (
    AnswersAreThere,
    MayNotCreateProjects,
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
from annotation.projects.services.protocols import (
    ProtocolChangedMeanwhile,
    UnusableProtocol,
    read_protocol,
    set_protocol,
)
from annotation.projects.services.readings import GuidelinesChanged, read_guidelines
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep, sweep_upkeep

__all__ = [
    "AlreadyMember",
    "AnswersAreThere",
    "GuidelinesChanged",
    "InvitationNotFound",
    "LastLead",
    "MayNotCreateProjects",
    "MemberNotFound",
    "NewInvitation",
    "ProtocolChangedMeanwhile",
    "SlugTaken",
    "UnknownPreset",
    "UnusableProtocol",
    "UnusableReason",
    "accept_invitation",
    "add_member",
    "ask_upkeep",
    "change_member",
    "copy_project",
    "create_project",
    "do_upkeep",
    "invite",
    "leave_all_projects",
    "leave_project",
    "note_opening",
    "read_guidelines",
    "read_protocol",
    "rename_project",
    "require_creator",
    "revoke_invitation",
    "set_cleaning",
    "set_protocol",
    "set_state",
    "sweep_upkeep",
    "unusable_reason",
]
