"""C++ libraries that read files in a separate process, so that their crash or hang is only an error."""

from gambol.formats.foreign_parser.process import Parser, ask_parser

__all__ = ["Parser", "ask_parser"]
