"""Connections: where a project's language models are reached, with which key and at what price."""
