"""Reads of the leaderboard: standings, systems beside each other, and published numbers."""
