"""Pre-judging: which answers machines may settle, and the audit that keeps it honest."""
