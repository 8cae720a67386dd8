"""Read what leaves: exports, the rows of files, and the formats that these have."""
