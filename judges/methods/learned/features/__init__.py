"""What the learned judge measures of texts, by subject."""
