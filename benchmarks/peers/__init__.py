"""Other annotation platforms under the same load, each from an environment of its own."""
