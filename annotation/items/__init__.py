"""Items: questions, gold answers, systems, predictions, pooled candidates, and their import."""
