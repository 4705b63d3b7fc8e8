"""Before an experiment: power, the number of topics, error rates, which measure to choose."""
