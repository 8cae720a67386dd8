"""A language model as a judge: prompts, rendering, parsing, and the judge itself."""
