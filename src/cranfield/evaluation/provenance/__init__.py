"""What values were made of, and whether they still come out."""

BESIDE_A_RUN = ".provenance.json"
"""What the name of the file that says what a run was made of has behind that of the run."""
