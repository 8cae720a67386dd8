"""The command line: every command, the demo and the reproductions; it may use everything."""
