"""The command `gambol measure`: a creature's motion beside that of animals."""
