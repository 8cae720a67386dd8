"""Take in what raters hand in, and give it back to them on demand."""
