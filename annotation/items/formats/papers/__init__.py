"""Files as the papers released them, one form a module."""
