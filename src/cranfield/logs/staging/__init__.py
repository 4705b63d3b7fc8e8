"""From the lines of a source to records: one file for each format."""
