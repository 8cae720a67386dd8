"""Hand out sheets, and keep the slots of answers."""
