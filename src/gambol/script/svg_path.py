"""Paths of SVG files as points: straight lines, Bezier curves and elliptic arcs. [SVG 2, chapter 9 and appendix B.2]

A Bezier curve B of degree 3 becomes n chords of equal steps of its parameter, whose distance from it is at most

    max |B''| / (8 n^2) <= 6 max(|P0 - 2 P1 + P2|, |P1 - 2 P2 + P3|) / (8 n^2)

An arc of radius r becomes chords that span the angle d, with the distance r (1 - cos d / 2).
"""

import cmath
import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gambol.errors import GambolError

CHORD_TOLERANCE = 1e-3
"""Largest distance between a curve and its chords, as a fraction of the curve's size."""

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
FLAG, SEPARATOR = re.compile(r"[01]"), re.compile(r"[\s,]*")

ARGUMENTS = {"M": "pp", "L": "pp", "H": "x", "V": "y", "C": "pppppp", "S": "pppp", "Q": "pppp", "T": "pp", "Z": ""}
ARGUMENTS["A"] = "rrrffpp"
"""Arguments of each command: p, x and y coordinates, r other numbers, f flags."""


def path_points(text: str, where: str) -> list[complex]:
    """Return the points x + iy of a path, in units of the file.

    text: the attribute d. where: file and line, for messages. Raises GambolError for a text that is no path.
    """
    points: list[complex] = []
    start, control, previous = 0j, 0j, ""
    for letter, values in _commands(text, where):
        here, kind = points[-1] if points else 0j, letter.upper()
        origin = here if letter.islower() else 0j
        ends = [origin + complex(x, y) for x, y in zip(values[::2], values[1::2], strict=False)]
        reflected = 2.0 * here - control if previous in PREDECESSORS.get(kind, "") else here
        if kind == "Z":
            pieces = [start]
        elif kind in "HV":
            along = values[0] + (origin.real if kind == "H" else origin.imag)
            pieces = [complex(along, here.imag) if kind == "H" else complex(here.real, along)]
        elif kind == "A":
            pieces = _arc(here, values, origin + complex(values[5], values[6]))
        elif kind in "ML":
            pieces = ends
        else:
            first = [reflected] if kind in PREDECESSORS else []
            controls = [here, *first, *ends]
            control = controls[-2]
            pieces = _bezier(_cubic(controls))
        points += pieces
        start = points[-1] if kind == "M" else start
        previous = kind
    return points


PREDECESSORS = {"S": "CS", "T": "QT"}
"""Commands that continue a curve smoothly, and the commands whose last control point they reflect."""


def _commands(text: str, where: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command and its numbers; further numbers repeat the command, those of M continue as L."""
    at, letter = _after_separators(text, 0), ""
    while at < len(text):
        if text[at].isalpha():
            letter, at = text[at], at + 1
        elif letter in ("M", "m"):
            letter = "L" if letter == "M" else "l"
        if letter.upper() not in ARGUMENTS or (not ARGUMENTS[letter.upper()] and not text[at - 1].isalpha()):
            raise GambolError(f'{where}: the path has "{text[max(at - 1, 0) : at + 9]}", which is no command of a path')
        values: list[float] = []
        for argument in ARGUMENTS[letter.upper()]:
            at = _after_separators(text, at)
            found = (FLAG if argument == "f" else NUMBER).match(text, at)
            if not found:
                raise GambolError(f'{where}: the path has "{text[at : at + 10]}" where "{letter}" needs a number')
            values.append(float(found.group()))
            at = found.end()
        at = _after_separators(text, at)
        yield letter, values


def _after_separators(text: str, at: int) -> int:
    """Return the index of the first character from `at` on that is neither a space nor a comma."""
    found = SEPARATOR.match(text, at)
    return found.end() if found else at


def _cubic(controls: Sequence[complex]) -> list[complex]:
    """Return the control points of a Bezier curve of degree 2 or 3 as one of degree 3."""
    if len(controls) == 4:
        return list(controls)
    a, b, c = controls
    return [a, (a + 2.0 * b) / 3.0, (2.0 * b + c) / 3.0, c]


def _bezier(p: Sequence[complex]) -> list[complex]:
    """Return points of a cubic Bezier curve after its first one. p: its four control points."""
    size = max(abs(a - b) for a, b in pairwise(p)) or 1.0
    bend = 6.0 * max(abs(p[0] - 2.0 * p[1] + p[2]), abs(p[1] - 2.0 * p[2] + p[3]))
    n = max(1, math.ceil(math.sqrt(bend / (8.0 * CHORD_TOLERANCE * size))))
    return [
        (1 - t) ** 3 * p[0] + 3 * t * (1 - t) ** 2 * p[1] + 3 * t * t * (1 - t) * p[2] + t**3 * p[3]
        for t in (k / n for k in range(1, n + 1))
    ]


def _arc(start: complex, values: Sequence[float], end: complex) -> list[complex]:
    """Return points of an elliptic arc after its first one. values: radii, angle [degrees], large-arc and sweep flag.

    In the frame of the ellipse, divided by its radii, the arc is one of a unit circle. Radii that are too small are
    enlarged. [SVG 2, appendix B.2.4 and B.2.5]
    """
    rx, ry = abs(values[0]), abs(values[1])
    if rx == 0.0 or ry == 0.0 or start == end:
        return [end]
    turn = cmath.rect(1.0, math.radians(values[2]))

    def to_circle(z: complex) -> complex:
        z = z / turn
        return complex(z.real / rx, z.imag / ry)

    half = 0.5 * (to_circle(end) - to_circle(start))
    scale = max(abs(half), 1.0)
    half = half / scale
    side = 1.0 if bool(values[3]) != bool(values[4]) else -1.0
    to_centre = side * 1j * half / abs(half) * math.sqrt(max(1.0 - abs(half) ** 2, 0.0))
    a, b = cmath.phase(-half - to_centre), cmath.phase(half - to_centre)
    sweep = (b - a) % (2.0 * math.pi) - (0.0 if values[4] else 2.0 * math.pi)
    middle = to_circle(0.5 * (start + end)) / scale + to_centre
    n = max(1, math.ceil(abs(sweep) / (2.0 * math.acos(1.0 - CHORD_TOLERANCE))))
    unit = (middle + cmath.rect(1.0, a + sweep * k / n) for k in range(1, n))
    return [*(turn * complex(scale * rx * u.real, scale * ry * u.imag) for u in unit), end]
