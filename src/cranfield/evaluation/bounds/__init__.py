"""What a value leaves open: tied documents, unjudged documents, other topics."""
