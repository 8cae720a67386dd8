"""The wiring: the only package that knows everything."""
