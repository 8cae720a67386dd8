"""Read systems by ways of judging."""
