"""The leaderboard: standings, systems beside each other, and published numbers."""
