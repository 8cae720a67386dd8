"""Scripts behind make."""
