"""Meshes of a plan: the first one, the error between its nodes, and finer ones."""
