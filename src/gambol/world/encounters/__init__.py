"""What meets in a world: parts and the ground, parts and parts, joints and their limits."""
