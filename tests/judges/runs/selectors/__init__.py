"""Tests of what runs read."""
