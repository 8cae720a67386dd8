"""What settles an answer without people, and what keeps that honest."""
