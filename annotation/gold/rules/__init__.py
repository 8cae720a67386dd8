"""What becomes of gold answers, as pure functions: the ledger, and what is proposed for it."""
