"""People judge: studies from their set-up to the amended gold list."""
