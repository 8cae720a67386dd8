"""What connects the steps: events and ports, the tables that boards read, what may be left open."""
