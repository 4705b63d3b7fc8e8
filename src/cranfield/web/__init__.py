"""The web application: people judge in it, and others look after them. No evaluation logic of its own."""
