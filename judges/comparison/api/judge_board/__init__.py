"""HTTP for judges beside people, and beside each other."""
