"""Systems scored, ranked and compared, as pure functions over counts."""
