"""What is stored so that nobody reads it who has only the database."""
