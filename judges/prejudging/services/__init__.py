"""What changes which answers machines settle."""
