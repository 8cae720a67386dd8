"""Programs judge, and are compared with people."""
