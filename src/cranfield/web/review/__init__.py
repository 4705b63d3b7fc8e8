"""What managers look at: progress, agreement, speed, disagreements, and what other judges would mean."""
