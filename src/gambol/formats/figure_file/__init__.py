"""gambol's figure files: TOML, read and written without loss. docs/use/figures.md lists all keys."""

from gambol.formats.figure_file.reading import model_of_table, parse_figure, read_figure, read_springs
from gambol.formats.figure_file.schema import FORMAT
from gambol.formats.figure_file.writing import figure_text, write_figure

__all__ = [
    "FORMAT",
    "figure_text",
    "model_of_table",
    "parse_figure",
    "read_figure",
    "read_springs",
    "write_figure",
]
