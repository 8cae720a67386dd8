"""The table of answers: found by all that people and programs say of them, in any order, page by page."""
