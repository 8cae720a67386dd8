"""Read the lead's queue, and everything a decision on one answer rests on."""
