"""Backups while the application runs, and what they bring back.

A backup of SQLite is a SQLite database; one of PostgreSQL is every row as a line of JSON. Either can be restored into
either. Sessions are not in it: after a restore everybody logs in again.
"""
