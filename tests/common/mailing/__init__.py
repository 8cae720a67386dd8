"""Tests of email."""
