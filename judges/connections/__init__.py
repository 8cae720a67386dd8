"""Connections: where a model is reached, with which key, at what price and pace."""
