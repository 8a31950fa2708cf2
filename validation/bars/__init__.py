"""Bodies from the gymnasium package: evolved here, then checked in MuJoCo itself."""
