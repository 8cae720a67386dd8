"""Projects: studies, their protocol, members and invitations."""
