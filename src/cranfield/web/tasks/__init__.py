"""Shared tasks: runs are handed in, judgments stay hidden, and participants see what the organiser releases."""
