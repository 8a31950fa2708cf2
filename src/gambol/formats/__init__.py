"""Reading and writing of files: figures, URDF, MJCF, meshes, TOML tables."""

from gambol.formats.figure_file import read_figure, write_figure
from gambol.formats.file_format import FORMATS, FileFormat, read_model, write_model
from gambol.formats.forest import combine_models
from gambol.formats.meshes import read_hull
from gambol.formats.mjcf import read_mjcf, write_mjcf
from gambol.formats.model import Model, Motor
from gambol.formats.table import Table, read_table
from gambol.formats.urdf import read_urdf, write_urdf
from gambol.formats.usd import read_usd
from gambol.formats.writing import atomic_write, check_suffix

__all__ = [
    "FORMATS",
    "FileFormat",
    "Model",
    "Motor",
    "Table",
    "atomic_write",
    "check_suffix",
    "combine_models",
    "read_figure",
    "read_hull",
    "read_mjcf",
    "read_model",
    "read_table",
    "read_urdf",
    "read_usd",
    "write_figure",
    "write_mjcf",
    "write_model",
    "write_urdf",
]
