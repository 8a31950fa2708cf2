"""Libraries in C++ that read files in a process of their own, so that a crash or a hang of theirs is only an error."""

from gambol.formats.foreign_parser.process import Parser, ask_parser

__all__ = ["Parser", "ask_parser"]
