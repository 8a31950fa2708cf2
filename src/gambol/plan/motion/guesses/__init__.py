"""First guesses of a plan: from its poses, from a film, and from an earlier result."""
