"""The language of scripts: lines, definitions of commands, and the parser."""
