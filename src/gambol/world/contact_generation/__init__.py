"""Contact generation of a world: parts with the ground, parts with parts, joints with their limits."""
