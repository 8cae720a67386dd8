"""Change connections (`changes`), and ask over them (`client`)."""
