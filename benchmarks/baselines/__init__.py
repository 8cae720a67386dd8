"""What people use today, written plainly."""
