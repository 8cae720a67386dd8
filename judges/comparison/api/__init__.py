"""HTTP for what compares people with programs: leaderboard, judge board, overview, answers."""
