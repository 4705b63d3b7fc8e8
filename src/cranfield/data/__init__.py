"""Qrels, runs and rankings: frozen, columnar, no reading or writing of files."""
