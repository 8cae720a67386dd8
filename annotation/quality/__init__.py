"""How well each rater works, with the uncertainty that few votes have."""
