"""Line numbers of the keys and list entries of a TOML text, which tomllib does not provide."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence

QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:\\.|[^"\\])*"' + r"|'[^']*'", re.DOTALL
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BARE_VALUE = re.compile(r"[^,\]}#\n]*")
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
        self.text, self.at = text, 0
        self.breaks = [m.start() for m in re.finditer("\n", text)]
        self.lines: dict[str, int] = {}
        self.counts: dict[tuple[str, ...], int] = {}
        current: tuple[str, ...] = ()
        while self._skip(BLANK) < len(text):
            current = self._statement(current)

    def _statement(self, current: tuple[str, ...]) -> tuple[str, ...]:
        """Scan one header, or one key and its value; return the path of the table for the next statements."""
        if not self.text.startswith("[", self.at):
            self._key_value(current)
            return current
        line, is_array = self._line(), self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        keys = self._keys()
        self.at += 2 if is_array else 1
        path = self._last_table((), keys[:-1])
        path = (*path, keys[-1])
        if is_array:
            self.counts[path] = self.counts.get(path, 0) + 1
        path = self._last_table(path[:-1], keys[-1:])
        self._record(path, line)
        return path

    def _last_table(self, path: tuple[str, ...], keys: Sequence[str]) -> tuple[str, ...]:
        """Return the path extended by keys, entering the last table of every array of tables on the way."""
        for key in keys:
            path = (*path, key)
            if path in self.counts:
                path = (*path, str(self.counts[path]))
        return path

    def _key_value(self, current: tuple[str, ...]) -> None:
        line = self._line()
        path = (*current, *self._keys())
        self.at += 1  # the equals sign
        self._record(path, line)
        self._value(path)

    def _keys(self) -> list[str]:
        """Scan a dotted key and the blanks after it; return its parts."""
        keys: list[str] = []
        while True:
            self._skip(BLANK)
            quoted = self.text[self.at] in "\"'"
            part = self._take(QUOTED if quoted else BARE_KEY)
            keys.append(tomllib.loads(f"x = {part}")["x"] if quoted else part)
            self._skip(BLANK)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _value(self, path: tuple[str, ...]) -> None:
        self._skip(BLANK)
        first = self.text[self.at]
        if first in "[{":
            self.at += 1
            index = 0
            while self.text[self._skip(SEPARATORS)] not in "]}":
                index += 1
                if first == "{":
                    self._key_value(path)
                else:
                    self._record((*path, str(index)), self._line())
                    self._value((*path, str(index)))
            self.at += 1
        else:
            self._take(QUOTED if first in "\"'" else BARE_VALUE)

    def _record(self, path: tuple[str, ...], line: int) -> None:
        for depth in range(1, len(path) + 1):
            self.lines.setdefault(".".join(path[:depth]), line)

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        assert match is not None, "tomllib has read this text"
        self.at = match.end()
        return match.group()

    def _skip(self, pattern: re.Pattern[str]) -> int:
        self._take(pattern)
        return self.at

    def _line(self) -> int:
        return bisect_right(self.breaks, self.at) + 1
