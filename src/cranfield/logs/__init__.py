"""Query logs: what people searched, saw and clicked, and what that says of search. Names are in `cranfield.logs.NAME`."""
