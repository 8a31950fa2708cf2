"""The command `gambol measure`: the motion of a creature, compared with animals."""
