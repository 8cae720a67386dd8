"""Reproduce published studies from their released files, the way a team would work through the product."""
