"""What replies hold, as records."""
