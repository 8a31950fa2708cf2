"""The command `gambol walk`: the roach, with options of its own, and all other creatures by name."""
