"""Files in and out."""

from gambol.formats.table import Table, read_table

__all__ = ["Table", "read_table"]
