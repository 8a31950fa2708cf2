"""Writing MJCF: bodies, geoms, equalities and actuators of MuJoCo."""

from gambol.formats.mjcf.writing.file import UNSUPPORTED, write_mjcf

__all__ = ["UNSUPPORTED", "write_mjcf"]
