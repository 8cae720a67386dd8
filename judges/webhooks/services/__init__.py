"""Writes of webhooks: what leads change, what is noted for delivery, and sending it."""
