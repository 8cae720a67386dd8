"""What a stored study holds, what its numbers come to, and where published ones differ."""
