"""Spark, for what one machine cannot hold: sessions, what workers need, and work that is parted by query."""
