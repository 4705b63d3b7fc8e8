"""Judging: who gets which item, for how long, and every answer as an event that is never changed."""
