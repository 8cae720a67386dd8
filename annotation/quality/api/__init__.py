"""HTTP for rater quality; leads alone use it."""
