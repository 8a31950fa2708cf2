"""The language of scripts: lines, what a command is, and how lines become commands."""
