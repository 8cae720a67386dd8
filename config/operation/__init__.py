"""What an operator asks of a running server: whether it works, and how much it does."""
