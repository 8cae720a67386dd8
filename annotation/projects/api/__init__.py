"""HTTP for projects, their members and protocols; `access` has the views for each role."""
