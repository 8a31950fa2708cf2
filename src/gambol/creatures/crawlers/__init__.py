"""Crawlers: snakes, worms and inchworms, which move by waves along a chain of segments with scales on its belly."""
