"""References for linkages with one degree of freedom: the reduced equation of motion, solved by scipy.

M(x) x'' + M'(x) x'^2 / 2 + V'(x) = 0        2 T = M(x) x'^2
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
Formula = Callable[[complex], complex]


def reduced(inertia: Formula, height_energy: Formula, start: list[float], t: Array) -> Array:
    """Return x and x' (2, times) at increasing times, to 1e-12."""

    def rate(_: float, y: Array) -> list[float]:
        x, speed = y
        return [speed, -(slope(inertia, x) * speed**2 / 2 + slope(height_energy, x)) / inertia(x).real]

    return solve_ivp(rate, (0.0, t[-1]), start, "DOP853", t, rtol=1e-12, atol=1e-12).y


def slope(f: Formula, x: float) -> float:
    """Return a derivative by a complex step: exact to rounding."""
    return f(x + 1e-30j).imag / 1e-30


class SliderCrank:
    """A crank of 0.2 m and 0.5 kg, a rod of 0.5 m and 0.8 kg, a slider of 1 kg along x at a height of 0.1 m."""

    def __init__(self, axis: tuple[float, float, float], arm: tuple[float, float, float]) -> None:
        self.start, self.onward = np.array(arm), np.cross(axis, arm)

    def reach(self, x: complex) -> tuple[Array, Array, complex, complex]:
        """Return the crank's end, the slider, and their derivatives."""
        end, moves = self.start * np.cos(x) + self.onward * np.sin(x), self.onward * np.cos(x) - self.start * np.sin(x)
        root = np.sqrt(0.5**2 - end[1] ** 2 - (end[2] - 0.1) ** 2)
        return end, moves, end[0] + root, moves[0] - (end[1] * moves[1] + (end[2] - 0.1) * moves[2]) / root

    def inertia(self, x: complex) -> complex:
        """Return M(x)."""
        _, a, _, slides = self.reach(x)
        b = np.array([slides, 0.0, 0.0])
        return 0.5 * 0.2**2 / 3 + slides**2 + 0.8 / 3 * (a @ a + a @ b + b @ b)

    def height_energy(self, x: complex) -> complex:
        """Return V(x)."""
        z = self.reach(x)[0][2]
        return 9.81 * (0.5 * z / 2 + 0.8 * (z + 0.1) / 2)


class Governor:
    """A flyball governor. Its spin is a cyclic coordinate, so the arms' angle has a separate equation of motion."""

    arm, stay = 0.4, 0.25

    def __init__(self, lean: float, speed: float) -> None:
        self.spin = speed * self.about_axis(lean).real

    def collar(self, x: complex) -> complex:
        """Return the position of the collar."""
        half = self.arm / 2
        return -half * np.cos(x) - np.sqrt(self.stay**2 - (half * np.sin(x)) ** 2)

    def about_axis(self, x: complex) -> complex:
        """Return the moment of inertia about the spindle."""
        ball, middle = self.arm * np.sin(x), self.arm / 2 * np.sin(x)
        return 0.02 + 1e-3 + 2 * (0.3 * ball**2 / 3 + ball**2 + 0.2 * middle**2 / 3)

    def inertia(self, x: complex) -> complex:
        """M(x)."""
        half = self.arm / 2
        root = np.sqrt(self.stay**2 - (half * np.sin(x)) ** 2)
        drop = half * np.sin(x) + half**2 * np.sin(x) * np.cos(x) / root
        low, middle = np.array([0.0, drop]), half * np.array([np.cos(x), np.sin(x)])
        stays = 0.2 / 3 * (low @ low + low @ middle + middle @ middle)
        return 2 * (0.3 * self.arm**2 / 3 + self.arm**2 + stays) + 0.5 * drop**2

    def spin_energy(self, x: complex) -> complex:
        """Return V(x) plus the energy of the spin at its conserved momentum."""
        half, low = self.arm / 2, self.collar(x)
        heights = -0.3 * half * np.cos(x) - self.arm * np.cos(x) + 0.2 * (low - half * np.cos(x)) / 2
        return 9.81 * (2 * heights + 0.5 * low) + self.spin**2 / (2 * self.about_axis(x))
