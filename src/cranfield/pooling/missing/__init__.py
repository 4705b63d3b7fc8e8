"""What judgments do not know: how far runs are judged, how those fare that were not pooled, how many relevant documents
there are, and what it would cost to judge more.

`judged_candidates.py` puts judgments beside what runs returned; `statistics.py` counts. `contributions.py` says which
judgments a run alone brought in, `left_out.py` evaluates without them, and `bias.py` is the whole. `capture.py`,
`sampled.py` and `curve.py` are three ways to estimate how many relevant documents there are; `size.py` asks them all.
`cost.py` counts what is to be judged. `groups.py` knows which runs belong together.
"""
