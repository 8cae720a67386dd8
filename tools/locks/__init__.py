"""What the lock files bring: its wheels, and what is known against it."""
