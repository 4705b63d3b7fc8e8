"""What values were made of, and whether they still come out."""
