"""JSON documents: parsed strictly, read piece by piece, and searched for their rows."""
