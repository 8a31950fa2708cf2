"""Colours of parts, as text such as "#8a4a1c": red, green and blue (sRGB), two hexadecimal digits each."""

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import FigureError

COLOR = re.compile("#[0-9a-f]{6}")


def color_text(red: float, green: float, blue: float) -> str:
    """Return a colour as text. red, green, blue (sRGB): 0 to 1. Raises FigureError for other numbers."""
    for name, value in (("red", red), ("green", green), ("blue", blue)):
        if not 0.0 <= value <= 1.0:
            raise FigureError(f"a colour has {value:g} {name}; give 0 to 1")
    return "#" + "".join(f"{round(255 * value):02x}" for value in (red, green, blue))


def rgb_values(color: str) -> tuple[float, float, float]:
    """Return red, green and blue of a colour "#rrggbb", 0 to 1 (sRGB)."""
    red, green, blue = (int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return red, green, blue


def linear_rgb(color: ArrayLike) -> NDArray[np.float64]:
    """Return the linear colours (..., 3), as in glTF and USD, of sRGB colours from 0 to 1. [IEC 61966-2-1]"""
    c = np.asarray(color, float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def srgb(linear: ArrayLike) -> NDArray[np.float64]:
    """Return the sRGB colours (..., 3) of linear colours from 0 to 1. [IEC 61966-2-1]"""
    c = np.asarray(linear, float)
    return np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1.0 / 2.4) - 0.055)


def check_color(color: str | None, subject: str) -> None:
    """Raise FigureError for a text that is not a colour; None is valid. subject: subject of the message."""
    if color is not None and not COLOR.fullmatch(color):
        raise FigureError(f'{subject} has the colour "{color[:40]}"; give one such as "#8a4a1c"')
