"""Spring meshes, cloth, ropes and particles, alone and in one scene with figures."""
