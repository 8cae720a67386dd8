"""Pages of a running product, timed in a browser."""
