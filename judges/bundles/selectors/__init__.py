"""What a bundle holds, and its rows."""
