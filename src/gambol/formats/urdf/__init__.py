"""URDF: the Unified Robot Description Format of ROS, read and written."""

from gambol.formats.urdf.reading import read_urdf
from gambol.formats.urdf.writing import write_urdf

__all__ = ["read_urdf", "write_urdf"]
