"""What other programs import of Assay, and its command line; nothing here needs Django until it is used."""
