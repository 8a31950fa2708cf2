"""C++ libraries that read files in a separate process, so that a crash or a hang of a library is only an error."""

from gambol.formats.foreign_parser.process import Parser, ask_parser

__all__ = ["Parser", "ask_parser"]
