"""What raters agree on, and how each of them errs."""
