"""Published numbers counted again from stored votes and verdicts, by plain code of its own."""
