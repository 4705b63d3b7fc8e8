"""Why two tools give different numbers, and which would give a number."""
