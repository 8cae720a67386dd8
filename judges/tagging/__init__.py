"""People say why answers, questions and verdicts came out as they did, with tags from a set."""
