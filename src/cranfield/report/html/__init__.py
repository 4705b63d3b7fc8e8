"""The HTML report: one page that opens from disk, with everything in it."""
