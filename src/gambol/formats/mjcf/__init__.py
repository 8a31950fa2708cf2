"""MJCF, the format of MuJoCo: read with the mujoco package, and written."""

from gambol.formats.mjcf.reading import figure_state, read_mjcf
from gambol.formats.mjcf.writing import write_mjcf

__all__ = ["figure_state", "read_mjcf", "write_mjcf"]
