"""A passive walker with knees: it walks down a slope without motors."""
