"""Logs that are made up by stated rules: who searches, what they look at, click, read and buy."""
