"""The demonstration: the docstrings of the standard library, fifty topics, and judgments made by reading.

`docs/demonstration.md` says how topics and judgments were made, and by whom.
"""
