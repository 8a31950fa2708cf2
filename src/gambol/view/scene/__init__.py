"""The scene of a film as plain numbers: poses, meshes, shadows, legs and colours. Needs no renderer."""
