"""The product with its databases and pages: imports, sheets and boards."""
