"""Agreement: how far the raters of a project agree."""
