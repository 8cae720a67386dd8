"""The log of what happens at the door of each account."""
