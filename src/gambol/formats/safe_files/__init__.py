"""Reading files and NumPy arrays that users name, with limits that are checked first."""

from gambol.formats.safe_files.arrays import npz_bytes, read_array, read_arrays
from gambol.formats.safe_files.files import file_bytes, file_size, file_text, path_exists

__all__ = ["file_bytes", "file_size", "file_text", "npz_bytes", "path_exists", "read_array", "read_arrays"]
