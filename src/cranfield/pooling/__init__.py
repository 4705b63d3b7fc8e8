"""Pools: which documents to judge, in which order, what is missing, and what could change a verdict."""
