"""Judges with weights, and the models they run on."""
