"""Where people get email: their addresses, links to a new password, and how often a digest comes."""
