"""Requests that are sent again are not carried out again."""
