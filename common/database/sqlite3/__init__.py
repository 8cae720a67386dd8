"""SQLite as Django speaks to it, with a queue in front of its one write lock."""
