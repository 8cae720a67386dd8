"""Read judges beside people, and beside each other."""
