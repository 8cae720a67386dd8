"""HTTP for systems by ways of judging."""
