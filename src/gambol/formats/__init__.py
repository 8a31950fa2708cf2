"""Files in and out."""

from gambol.formats.table import Table, read_table
from gambol.formats.writing import moved_into_place

__all__ = ["Table", "moved_into_place", "read_table"]
