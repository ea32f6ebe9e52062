"""Learners of bidding policies."""
