"""Tests for two systems: what they found, what they assume, and the tests themselves."""
