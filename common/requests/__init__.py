"""What is known of one request: where it comes from, and what it is called."""
