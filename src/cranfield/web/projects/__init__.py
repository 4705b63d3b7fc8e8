"""What is judged: projects with their topics, documents, pool and scale, and who works on them."""
