"""The LLM judge, without a model."""
