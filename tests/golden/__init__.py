"""Values from papers and their released files that more than one test expects."""
