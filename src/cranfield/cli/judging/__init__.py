"""Judging in a terminal: keys, screens, and what may be shown on them."""
