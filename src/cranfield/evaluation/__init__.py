"""Measures put to work: score runs against judgments."""
