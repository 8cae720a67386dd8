"""How far first-round raters agree: over all, and in parts of the study."""
