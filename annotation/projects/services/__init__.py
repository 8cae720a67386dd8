"""Write projects, protocols, members and invitations."""
