"""Email: the mail server, and what may stand in a message."""
