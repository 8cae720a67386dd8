"""What a set of tags is, which answers a round draws, and what a rule proposes, as plain values."""
