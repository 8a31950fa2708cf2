"""On which line of a TOML text each key and each entry of a list stands; tomllib does not say."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence

TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:\\.|[^"\\])*"' + r"|'[^']*'", re.DOTALL
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BARE_VALUE = re.compile(r"[^,\]}#\n]*")
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
BETWEEN = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")


def key_lines(text: str) -> dict[str, int]:
    """The line, counted from 1, of every key path of a TOML text that tomllib can read.

    Paths have dots between their keys; entries of lists are called "1", "2", ...: "links.2.joint.axis".
    """
    return _Scanner(text).lines


class _Scanner:
    """A walk through a valid text that notes where each value begins."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.breaks = [m.start() for m in re.finditer("\n", text)]
        self.lines: dict[str, int] = {}
        self.counts: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        while self._skip(BLANK) < len(text):
            table = self._statement(table)

    def _statement(self, table: tuple[str, ...]) -> tuple[str, ...]:
        """One header or one key and its value; returns the table that what follows belongs to."""
        if not self.text.startswith("[", self.at):
            self._pair(table)
            return table
        line, double = self._line(), self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        keys = self._keys()
        self.at += 2 if double else 1
        path = self._inside((), keys[:-1])
        path = (*path, keys[-1])
        if double:
            self.counts[path] = self.counts.get(path, 0) + 1
        path = self._inside(path[:-1], keys[-1:])
        self._note(path, line)
        return path

    def _inside(self, path: tuple[str, ...], keys: Sequence[str]) -> tuple[str, ...]:
        """A path that goes into the last table of every list of tables on its way."""
        for key in keys:
            path = (*path, key)
            if path in self.counts:
                path = (*path, str(self.counts[path]))
        return path

    def _pair(self, table: tuple[str, ...]) -> None:
        line = self._line()
        path = (*table, *self._keys())
        self.at += 1  # the sign of equality
        self._note(path, line)
        self._value(path)

    def _keys(self) -> list[str]:
        """The parts of a dotted key, and what blank follows them."""
        keys: list[str] = []
        while True:
            self._skip(BLANK)
            quoted = self.text[self.at] in "\"'"
            part = self._take(TEXT if quoted else BARE_KEY)
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
            place = 0
            while self.text[self._skip(BETWEEN)] not in "]}":
                place += 1
                if first == "{":
                    self._pair(path)
                else:
                    self._note((*path, str(place)), self._line())
                    self._value((*path, str(place)))
            self.at += 1
        else:
            self._take(TEXT if first in "\"'" else BARE_VALUE)

    def _note(self, path: tuple[str, ...], line: int) -> None:
        for depth in range(1, len(path) + 1):
            self.lines.setdefault(".".join(path[:depth]), line)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found is not None, "tomllib has read this text"
        self.at = found.end()
        return found.group()

    def _skip(self, pattern: re.Pattern[str]) -> int:
        self._take(pattern)
        return self.at

    def _line(self) -> int:
        return bisect_right(self.breaks, self.at) + 1
