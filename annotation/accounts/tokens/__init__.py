"""API tokens: with one a program comes in as the person who created it."""
