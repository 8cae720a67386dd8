"""Email that leaves: messages as rows, their words, and sending them."""
