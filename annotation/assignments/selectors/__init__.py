"""Read what is open for whom, and what raters hold."""
