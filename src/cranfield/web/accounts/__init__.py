"""Who may come in: people, invitations, tokens for programs, and what is noted of what they changed."""
