"""What is to be seen of a film, as plain numbers: places, meshes, shadows, legs and colours. Needs no renderer."""
