"""Query logs: what people searched, saw and clicked, and what that says of search."""
