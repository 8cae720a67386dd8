"""Read runs: what they have to do (`work`), how far they are and what they said (`progress`)."""
