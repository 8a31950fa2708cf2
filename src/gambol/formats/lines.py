"""Line numbers of the keys and list entries of a TOML text, which tomllib does not provide."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence

# strings in three or one double quotes, and in three or one single quotes
QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:\\.|[^"\\])*"' + r"|'[^']*'", re.DOTALL
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BARE_VALUE = re.compile(r"[^,\]}#\n]*")  # a number, a date or a boolean
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
SEPARATORS = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")


def key_lines(text: str) -> dict[str, int]:
    """Return the line number, from 1, of every key path of a TOML text that tomllib can read.

    Paths have dots between their keys; entries of lists are called "1", "2", ...: "links.2.joint.axis".
    """
    return _Scanner(text).lines


class _Scanner:
    """A scan of a valid TOML text that records where each value begins."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0
        self.line_breaks = [m.start() for m in re.finditer("\n", text)]
        self.lines: dict[str, int] = {}
        self.array_lengths: dict[tuple[str, ...], int] = {}
        table_path: tuple[str, ...] = ()
        while self._skip(BLANK) < len(text):
            table_path = self._scan_statement(table_path)

    def _scan_statement(self, table_path: tuple[str, ...]) -> tuple[str, ...]:
        """Scan one header, or one key and its value; return the path of the table for the next statements."""
        if not self.text.startswith("[", self.position):
            self._scan_key_value(table_path)
            return table_path
        line, is_array = self._line_number(), self.text.startswith("[[", self.position)
        self.position += 2 if is_array else 1
        keys = self._scan_keys()
        self.position += 2 if is_array else 1
        path = self._last_table((), keys[:-1])
        path = (*path, keys[-1])
        if is_array:
            self.array_lengths[path] = self.array_lengths.get(path, 0) + 1
        path = self._last_table(path[:-1], keys[-1:])
        self._record_line(path, line)
        return path

    def _last_table(self, path: tuple[str, ...], keys: Sequence[str]) -> tuple[str, ...]:
        """Return the path extended by keys, entering the last table of each array of tables in it."""
        for key in keys:
            path = (*path, key)
            if path in self.array_lengths:
                path = (*path, str(self.array_lengths[path]))
        return path

    def _scan_key_value(self, table_path: tuple[str, ...]) -> None:
        line = self._line_number()
        path = (*table_path, *self._scan_keys())
        self.position += 1  # the equals sign
        self._record_line(path, line)
        self._scan_value(path)

    def _scan_keys(self) -> list[str]:
        """Scan a dotted key and the blanks after it; return the keys between the dots."""
        keys: list[str] = []
        while True:
            self._skip(BLANK)
            quoted = self.text[self.position] in "\"'"
            token = self._consume(QUOTED if quoted else BARE_KEY)
            keys.append(tomllib.loads(f"x = {token}")["x"] if quoted else token)
            self._skip(BLANK)
            if not self.text.startswith(".", self.position):
                return keys
            self.position += 1

    def _scan_value(self, path: tuple[str, ...]) -> None:
        self._skip(BLANK)
        opening = self.text[self.position]
        if opening in "[{":
            self.position += 1
            index = 0
            while self.text[self._skip(SEPARATORS)] not in "]}":
                index += 1
                if opening == "{":
                    self._scan_key_value(path)
                else:
                    self._record_line((*path, str(index)), self._line_number())
                    self._scan_value((*path, str(index)))
            self.position += 1
        else:
            self._consume(QUOTED if opening in "\"'" else BARE_VALUE)

    def _record_line(self, path: tuple[str, ...], line: int) -> None:
        """Record the line of a path, and of the tables that contain it if their lines are not known yet."""
        for depth in range(1, len(path) + 1):
            self.lines.setdefault(".".join(path[:depth]), line)

    def _consume(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.position)
        assert match is not None, "tomllib has read this text"
        self.position = match.end()
        return match.group()

    def _skip(self, pattern: re.Pattern[str]) -> int:
        """Skip the text that matches a pattern; return the new position."""
        self._consume(pattern)
        return self.position

    def _line_number(self) -> int:
        return bisect_right(self.line_breaks, self.position) + 1
