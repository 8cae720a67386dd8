"""A study as arrays, and what its ways of judging say: what every comparison stands on."""
