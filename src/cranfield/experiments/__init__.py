"""Workspaces, splits, tuning and the ledger: experiments that can be believed."""
