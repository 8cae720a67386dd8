"""A whole server as one file: every row of every table, and the stored files."""
