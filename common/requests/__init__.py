"""What is known of one request: where it comes from, its name, and what whoever sends it has already."""
