"""Tests of addresses, links and messages of accounts."""
