"""In and out: pools, judgments and bundles, and the files of other tools."""
