"""Rods that fall, slide and lean on a wall: when they slip and when they let go, by their own equations."""

import numpy as np
from scipy.integrate import solve_ivp

from gambol.collide.broad import Pair
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from validation.contact.answer import Answer, ContactProblem, sheets
from validation.contact.scene import LARGE, TIP, Scene, flat, in_plane, tracked
from validation.problem import Array

G = 9.81
ROD = in_plane("rod", flat(1.0, 1.0 / 12.0), [(0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)])
"""A uniform rod of 1 m and 1 kg along x, which touches with its ends."""
STEP = 1e-4
COARSE = 2e-3
"""What is wanted of rods, at this step."""


def leaning_rod(angle: float) -> Array:
    """Coordinates of a rod whose lower end is at x = 0 on the floor, at an angle from it."""
    return np.array([angle, 0.5 * np.cos(angle), 0.5 * np.sin(angle) + TIP])


def begun(grows: Array, power: int, place: Array) -> float:
    """Where something was when a number began that grows as a power of time: its root goes on a straight line."""
    root = grows ** (1.0 / power)
    k = np.flatnonzero(grows > (2e-3 if power == 2 else 2e-5))[0] + np.array([0, 20])
    back = root[k[0]] * 20.0 / (root[k[1]] - root[k[0]])
    return float(np.interp(k[0] - back, np.arange(len(place)), place))


def smooth_floor() -> list[Answer]:
    """Without friction the centre falls straight down: I w^2 / 2 + m (L/2 cos)^2 w^2 / 2 = m g L/2 (sin0 - sin)."""
    begin, found = np.radians(60.0), list[Answer]()

    def rate(angle: Array) -> Array:
        return np.sqrt(G * (np.sin(begin) - np.sin(angle)) / (1.0 / 12.0 + 0.25 * np.cos(angle) ** 2))

    for sheet in sheets([(name, STEP) for name in LARGE]):
        track = tracked(Scene(ROD), sheet.method, sheet.step, leaning_rod(begin), np.zeros(3), 0.4, 1e-3)
        last = int(np.flatnonzero(track.q[:, 0] > 0.1)[-1])
        angle = track.q[last, 0]
        found.append(sheet.answer(f"turning at {angle:.3f} rad [rad/s]", -track.v[last, 0], rate(angle), COARSE))
        off = track.q[last, 1] - track.q[0, 1]
        found.append(sheet.answer("way of the centre aside [m]", off, 0.0, 1e-9))
    return found


def rough_reference(mu: float, begin: float, end: float) -> tuple[float, float, float]:
    """Angle at which a rod that falls over its end begins to slip, and its turning and its end's speed at `end`.

    Stuck: w' = -3/2 g cos / L. What the floor bears follows from how the centre moves; where |F| = mu N it slips, and
    then N, w' and the end's acceleration solve three equations.
    """

    def bearing(a: float, w: float) -> tuple[float, float]:
        turn = -1.5 * G * np.cos(a)
        ax = -0.5 * (np.sin(a) * turn + np.cos(a) * w * w)
        az = 0.5 * (np.cos(a) * turn - np.sin(a) * w * w)
        return ax, az + G

    def slips(t: float, y: Array) -> float:
        F, N = bearing(y[0], y[1])
        return mu * N - abs(F)

    slips.terminal = True
    stuck = solve_ivp(
        lambda t, y: [y[1], -1.5 * G * np.cos(y[0])], (0, 5), [begin, 0.0], events=slips, rtol=1e-11, atol=1e-12
    )
    a0, w0 = stuck.y[:, -1]
    way = -np.sign(bearing(a0, w0)[0])  # the end slips against friction

    def sliding(t: float, y: Array) -> list[float]:
        a, w = y[:2]
        c, s, f = np.cos(a), np.sin(a), -way * mu
        # centre rises by (c w' - s w^2) / 2 with N - g; w' = 12 (-N c / 2 + f N s / 2)
        lever = 6.0 * (f * s - c)
        N = (G - 0.5 * s * w * w) / (1.0 - 0.5 * c * lever)
        turn = lever * N
        return [w, turn, f * N + 0.5 * (s * turn + c * w * w)]

    def there(t: float, y: Array) -> float:
        return y[0] - end

    there.terminal = True
    on = solve_ivp(sliding, (0, 5), [a0, w0, 0.0], events=there, rtol=1e-11, atol=1e-12)
    return float(a0), float(on.y[1, -1]), float(on.y[2, -1])


def rough_floor() -> list[Answer]:
    """From 80 degrees, let go on floors of little and of more friction: the end slips back, or forth."""
    found: list[Answer] = []
    for sheet in sheets([(name, STEP) for name in LARGE]):
        for mu, end in ((0.25, np.radians(55.0)), (0.6, np.radians(32.0))):
            begin = np.radians(80.0)
            slip, turning, speed = rough_reference(mu, begin, end)
            track = tracked(Scene(ROD, mu), sheet.method, sheet.step, leaning_rod(begin), np.zeros(3), 1.3, 1e-3)
            a, w = track.q[:, 0], track.v[:, 0]
            sideways = np.gradient(track.q[:, 1] - 0.5 * np.cos(a), track.t)
            first = begun(np.abs(sideways), 2, a)
            k = int(np.flatnonzero(a > end)[-1])
            at = [float(np.interp(end, a[[k + 1, k]], x[[k + 1, k]])) for x in (w, sideways)]
            of = f"mu = {mu:g} "
            found.append(sheet.answer(f"angle where the end slips, {of}[rad]", first, slip, 5e-3))
            found.append(sheet.answer(f"turning at {end:.3f} rad, {of}[rad/s]", at[0], turning, COARSE))
            found.append(sheet.answer(f"speed of the end at {end:.3f} rad, {of}[m/s]", at[1], speed, COARSE))
    return found


def ladder_figure() -> Figure:
    """A ladder of 1 m in the plane of x and z, and a wall whose face is x = 0; it leans on that with its upper end."""
    wall = Link("wall", None, Joint("fixed"), (Part(Box((0.2, 1.0, 4.0)), (-0.1, 0.0, 2.0), mask=2, group=2),))
    joint = Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0))
    ends = tuple(Part(Sphere(TIP), (x, 0.0, 0.0), inertial=False) for x in (-0.5, 0.5))
    return Figure("ladder", (wall, Link("ladder", "wall", joint, ends, flat(1.0, 1.0 / 12.0))))


def ladder() -> list[Answer]:
    """A ladder slides down a smooth wall, and leaves it at 2/3 of its height: it then keeps its speed away from it.

    With sin the height over L: w^2 = 3 g / L (sin0 - sin), so at 2/3 of it the centre goes at L/3 sin0 w.
    """
    begin, found = np.radians(70.0), list[Answer]()
    high = np.sin(begin)
    speed = high / 3.0 * np.sqrt(G * high)
    q = np.array([np.pi - begin, 0.5 * np.cos(begin) + TIP, 0.5 * np.sin(begin) + TIP])
    for sheet in sheets([(name, STEP) for name in LARGE]):
        scene = Scene(ladder_figure(), pairs=(Pair(1, 0, 2, 1),))
        track = tracked(scene, sheet.method, sheet.step, q, np.zeros(3), 1.2, 1e-3)
        place = np.stack([track.q[:, 1] + 0.5 * np.cos(track.q[:, 0]), track.q[:, 2] + 0.5 * np.sin(track.q[:, 0])])
        off = begun(np.maximum(place[0] - TIP, 0.0), 3, place[1])
        down = int(np.flatnonzero(track.q[:, 2] > 0.05)[-1])
        centre = (track.q[down, 1] - track.q[down - 50, 1]) / (track.t[down] - track.t[down - 50])
        found.append(sheet.answer("height where it leaves, of the first", off / high, 2.0 / 3.0, 5e-3))
        found.append(sheet.answer("speed away afterwards [m/s]", centre, speed, COARSE))
    return found


PROBLEMS = (
    ContactProblem("Rod on a smooth floor", "Falls from 60 degrees.", "energy", smooth_floor),
    ContactProblem(
        "Rod on a rough floor", "Falls from 80 degrees over its end.", "its equations (scipy, 1e-11)", rough_floor
    ),
    ContactProblem("Ladder", "Slides down a smooth wall over a smooth floor, from 70 degrees.", "closed form", ladder),
)
