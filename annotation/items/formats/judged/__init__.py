"""Exports of tools in which annotators judged answers, votes among them."""
