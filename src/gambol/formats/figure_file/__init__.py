"""gambol's figure files: TOML, read and written without loss. docs/use/figures.md lists all keys."""

from gambol.formats.figure_file.reading import parse_figure, read_figure
from gambol.formats.figure_file.schema import FORMAT
from gambol.formats.figure_file.writing import figure_text, write_figure

__all__ = ["FORMAT", "figure_text", "parse_figure", "read_figure", "write_figure"]
