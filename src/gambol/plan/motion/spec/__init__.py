"""The description of a wanted motion: phases, goals, costs and mesh."""
