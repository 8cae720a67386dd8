"""HTTP for items: imports, systems and the sample, all for leads only."""
