"""Gold: the ledger of gold answers."""
