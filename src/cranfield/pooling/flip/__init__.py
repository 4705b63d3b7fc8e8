"""What could flip a comparison: whether unjudged documents could turn it round, which of them, and what settles it.

`side_by_side.py` lays two runs and the judgments beside each other, `ways/` has for each kind of measure the largest
difference there could be, over grades that each document has once for both runs, and `bounds.py` asks the right way.
`effects.py` says what single documents could do, `chances.py` how likely they are relevant, `expected.py` how many
judgments it takes; `order.py` hands them out one by one, `flip.py` puts all of it together.
"""
