"""How assessors work: how fast, how steadily, and how far they agree with gold and with themselves."""
