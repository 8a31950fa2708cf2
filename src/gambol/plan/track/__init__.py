"""A plan in the simulation: its film, a controller that follows it, and how closely it is followed."""
