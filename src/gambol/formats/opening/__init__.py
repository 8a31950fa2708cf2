"""Opening what people name, with bounds that are checked first: regular files, and NumPy's arrays in them."""

from gambol.formats.opening.arrays import packed, read_array, read_arrays
from gambol.formats.opening.files import file_bytes, file_size, file_text, is_there

__all__ = ["file_bytes", "file_size", "file_text", "is_there", "packed", "read_array", "read_arrays"]
