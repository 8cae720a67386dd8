"""Read what agreement is computed from, and measure it: of a project, in its parts and in its pilots."""
