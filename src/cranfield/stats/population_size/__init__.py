"""How many there are, most of which nobody has seen: capture and recapture, and samples whose chances are known."""
