"""Meshes of a plan: the first mesh, the error between its nodes, and refinement."""
