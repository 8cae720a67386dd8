"""Each part of a report, counted again."""
