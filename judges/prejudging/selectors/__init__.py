"""What pre-judging would settle and has settled, and what its audit says."""
