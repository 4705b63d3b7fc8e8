"""How alike two rankings are: rank correlation, overlap, orders of systems."""
