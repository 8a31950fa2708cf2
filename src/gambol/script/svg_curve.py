"""The first curve of an SVG file as points, with the transforms of its elements. [SVG 2, chapter 9; CSS Transforms 1]

x' = a x + c y + e        y' = b x + d y + f        matrix(a b c d e f), of each element, the outermost last
"""

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.xml_file import Element, read_xml
from gambol.script.svg_path import NUMBER, path_points

Array = NDArray[np.float64]

FUNCTION = re.compile(r"\s*,?\s*([a-zA-Z]+)\s*\(([^)]*)\)")


def svg_points(path: Path) -> Array:
    """Return the points (N, 2) of the first polyline or path of an SVG file, in its outer units; y is downwards.

    Raises GambolError for a file without such a curve, and for transforms that are not those of SVG.
    """
    elements = _to_first_curve(read_xml(path))
    if not elements:
        raise GambolError(f'"{path.name}" has neither a polyline nor a path')
    curve = elements[-1]
    if _kind(curve) == "path":
        found = path_points(curve.attributes.get("d", ""), curve.where)
        points = np.array([(z.real, z.imag) for z in found], float).reshape(-1, 2)
    else:
        numbers = [float(word) for word in NUMBER.findall(curve.attributes.get("points", ""))]
        points = np.array(numbers[: len(numbers) // 2 * 2], float).reshape(-1, 2)
    for element in reversed(elements):
        matrix = _transform(element.attributes.get("transform", ""), element.where)
        points = points @ matrix[:, :2].T + matrix[:, 2]
    return points


def _to_first_curve(element: Element) -> list[Element]:
    """Return the elements from an element to the first polyline or path inside it, or an empty list."""
    if _kind(element) in ("polyline", "path"):
        return [element]
    for child in element.children:
        if inside := _to_first_curve(child):
            return [element, *inside]
    return []


def _kind(element: Element) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2]


def _transform(text: str, where: str) -> Array:
    """Return the matrix (2, 3) of the attribute transform."""
    result, end = np.eye(3), 0
    while found := FUNCTION.match(text, end):
        name, values, end = found[1], [float(word) for word in NUMBER.findall(found[2])], found.end()
        counts, matrix = FUNCTIONS.get(name, ((), _matrix))
        if len(values) not in counts:
            raise GambolError(f'{where}: transform="{text}" has "{found[0].strip()}", which is no transform of SVG')
        result = result @ np.vstack([matrix(values), [0.0, 0.0, 1.0]])
    if text[end:].strip():
        raise GambolError(f'{where}: transform="{text}" has "{text[end:].strip()}", which is no transform of SVG')
    return np.asarray(result[:2], np.float64)


def _matrix(values: Sequence[float]) -> Array:
    return np.array(values).reshape(3, 2).T


def _translate(values: Sequence[float]) -> Array:
    return _matrix([1.0, 0.0, 0.0, 1.0, values[0], values[1] if len(values) > 1 else 0.0])


def _scale(values: Sequence[float]) -> Array:
    return _matrix([values[0], 0.0, 0.0, values[-1], 0.0, 0.0])


def _rotate(values: Sequence[float]) -> Array:
    """Return a rotation about a point, by default the origin: from x to y, which is clockwise as y is downwards."""
    angle, (x, y) = math.radians(values[0]), values[1:] or (0.0, 0.0)
    c, s = math.cos(angle), math.sin(angle)
    return _matrix([c, s, -s, c, x - c * x + s * y, y - s * x - c * y])


FUNCTIONS: dict[str, tuple[tuple[int, ...], Callable[[Sequence[float]], Array]]] = {
    "matrix": ((6,), _matrix),
    "translate": ((1, 2), _translate),
    "scale": ((1, 2), _scale),
    "rotate": ((1, 3), _rotate),
    "skewX": ((1,), lambda values: _matrix([1.0, 0.0, math.tan(math.radians(values[0])), 1.0, 0.0, 0.0])),
    "skewY": ((1,), lambda values: _matrix([1.0, math.tan(math.radians(values[0])), 0.0, 1.0, 0.0, 0.0])),
}
"""The transforms of SVG: the possible numbers of values, and the function that returns the matrix (2, 3)."""
