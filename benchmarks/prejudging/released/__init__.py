"""What the replays read: released studies, and probabilities of a judge."""
