"""Write projects, protocols, members and invitations."""

from annotation.projects.services.invitations import (
    InvitationUnusable,
    NewInvitation,
    UnusableReason,
    accept_invitation,
    invite,
    revoke_invitation,
    unusable_reason,
)
from annotation.projects.services.making import (
    AnswersAreThere,
    SlugTaken,
    UnknownPreset,
    copy_project,
    create_project,
    rename_project,
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
)
from annotation.projects.services.protocols import (
    ProtocolChangedMeanwhile,
    UnusableProtocol,
    read_protocol,
    set_protocol,
)
from annotation.projects.services.readings import GuidelinesChanged, read_guidelines

__all__ = [
    "AnswersAreThere",
    "GuidelinesChanged",
    "InvitationUnusable",
    "LastLead",
    "MemberNotFound",
    "NewInvitation",
    "ProtocolChangedMeanwhile",
    "SlugTaken",
    "UnknownPreset",
    "UnusableProtocol",
    "UnusableReason",
    "accept_invitation",
    "add_member",
    "change_member",
    "copy_project",
    "create_project",
    "invite",
    "leave_all_projects",
    "leave_project",
    "read_guidelines",
    "read_protocol",
    "rename_project",
    "revoke_invitation",
    "set_cleaning",
    "set_protocol",
    "set_state",
    "unusable_reason",
]
