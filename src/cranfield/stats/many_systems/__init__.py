"""Many systems at once: corrections, analysis of variance, Tukey's tests."""
