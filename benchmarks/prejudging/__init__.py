"""Pre-judging and what stays valid after it, replayed on the papers' released votes."""
