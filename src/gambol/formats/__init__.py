"""Files in and out."""

from gambol.formats.figure_file import read_figure, write_figure
from gambol.formats.forest import gathered_specimens
from gambol.formats.meshes import read_hull
from gambol.formats.mjcf import read_mjcf, write_mjcf
from gambol.formats.specimen import Motor, Specimen
from gambol.formats.table import Table, read_table
from gambol.formats.urdf import read_urdf, write_urdf
from gambol.formats.writing import moved_into_place

__all__ = [
    "Motor",
    "Specimen",
    "Table",
    "gathered_specimens",
    "moved_into_place",
    "read_figure",
    "read_hull",
    "read_mjcf",
    "read_table",
    "read_urdf",
    "write_figure",
    "write_mjcf",
    "write_urdf",
]
