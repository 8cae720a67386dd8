"""How the databases are read and written."""
