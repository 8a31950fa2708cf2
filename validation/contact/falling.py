"""Rods that fall, slide and lean on a wall: onset of slip and separation, from their equations of motion."""

import numpy as np
from scipy.integrate import solve_ivp

from gambol.collide.broad import Pair
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from validation.contact.answer import Answer, ContactProblem, method_answers
from validation.contact.scene import TIME_STEPPING, TIP, Scene, flat, in_plane, simulate
from validation.problem import Array

G = 9.81
ROD = in_plane("rod", flat(1.0, 1.0 / 12.0), [(0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)])
"""A uniform rod of 1 m and 1 kg along x, with contact points at its ends."""
STEP = 1e-4
ROD_TOLERANCE = 2e-3
"""Tolerance for rods, at this step."""


def leaning_rod(angle: float) -> Array:
    """Return the coordinates of a rod whose lower end is at x = 0 on the floor, at an angle from it."""
    return np.array([angle, 0.5 * np.cos(angle), 0.5 * np.sin(angle) + TIP])


def onset(grows: Array, power: int, place: Array) -> float:
    """Return the position at the onset of a quantity that grows as a power of time: its root is linear."""
    root = grows ** (1.0 / power)
    k = np.flatnonzero(grows > (2e-3 if power == 2 else 2e-5))[0] + np.array([0, 20])
    back = root[k[0]] * 20.0 / (root[k[1]] - root[k[0]])
    return float(np.interp(k[0] - back, np.arange(len(place)), place))


def smooth_floor() -> list[Answer]:
    """Return answers without friction, where the centre falls vertically.

    I w^2 / 2 + m (L/2 cos)^2 w^2 / 2 = m g L/2 (sin0 - sin)
    """
    begin, answers = np.radians(60.0), list[Answer]()

    def rate(angle: Array) -> Array:
        return np.sqrt(G * (np.sin(begin) - np.sin(angle)) / (1.0 / 12.0 + 0.25 * np.cos(angle) ** 2))

    for run in method_answers([(name, STEP) for name in TIME_STEPPING]):
        trajectory = simulate(Scene(ROD), run.method, run.step, leaning_rod(begin), np.zeros(3), 0.4, 1e-3)
        last = int(np.flatnonzero(trajectory.q[:, 0] > 0.1)[-1])
        angle = trajectory.q[last, 0]
        answers.append(
            run.answer(f"turning at {angle:.3f} rad [rad/s]", -trajectory.v[last, 0], rate(angle), ROD_TOLERANCE)
        )
        off = trajectory.q[last, 1] - trajectory.q[0, 1]
        answers.append(run.answer("way of the centre aside [m]", off, 0.0, 1e-9))
    return answers


def rough_reference(mu: float, begin: float, end: float) -> tuple[float, float, float]:
    """Return the angle at which a rod that falls over its end begins to slip, and its rate and end speed at `end`.

    Sticking: w' = -3/2 g cos / L. The floor's force follows from the motion of the centre; at |F| = mu N it slips, and
    then N, w' and the acceleration of the end solve three equations.
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
    way = -np.sign(bearing(a0, w0)[0])  # direction of slip

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
    """Return answers on rods released at 80 degrees: with little friction the end slips back, with more forward."""
    answers: list[Answer] = []
    for run in method_answers([(name, STEP) for name in TIME_STEPPING]):
        for mu, end in ((0.25, np.radians(55.0)), (0.6, np.radians(32.0))):
            begin = np.radians(80.0)
            slip, turning, speed = rough_reference(mu, begin, end)
            trajectory = simulate(Scene(ROD, mu), run.method, run.step, leaning_rod(begin), np.zeros(3), 1.3, 1e-3)
            a, w = trajectory.q[:, 0], trajectory.v[:, 0]
            sideways = np.gradient(trajectory.q[:, 1] - 0.5 * np.cos(a), trajectory.t)
            first = onset(np.abs(sideways), 2, a)
            k = int(np.flatnonzero(a > end)[-1])
            at = [float(np.interp(end, a[[k + 1, k]], x[[k + 1, k]])) for x in (w, sideways)]
            of = f"mu = {mu:g} "
            answers.append(run.answer(f"angle where the end slips, {of}[rad]", first, slip, 5e-3))
            answers.append(run.answer(f"turning at {end:.3f} rad, {of}[rad/s]", at[0], turning, ROD_TOLERANCE))
            answers.append(run.answer(f"speed of the end at {end:.3f} rad, {of}[m/s]", at[1], speed, ROD_TOLERANCE))
    return answers


def ladder_figure() -> Figure:
    """Return a ladder of 1 m in the x-z plane, whose upper end leans on a wall with the face x = 0."""
    wall = Link("wall", None, Joint("fixed"), (Part(Box((0.2, 1.0, 4.0)), (-0.1, 0.0, 2.0), mask=2, group=2),))
    joint = Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0))
    ends = tuple(Part(Sphere(TIP), (x, 0.0, 0.0), inertial=False) for x in (-0.5, 0.5))
    return Figure("ladder", (wall, Link("ladder", "wall", joint, ends, flat(1.0, 1.0 / 12.0))))


def ladder() -> list[Answer]:
    """Return answers on a ladder that slides down a smooth wall and leaves it at 2/3 of its height.

    With sin the height over L: w^2 = 3 g / L (sin0 - sin), so at 2/3 of it the centre moves at L/3 sin0 w.
    """
    begin, answers = np.radians(70.0), list[Answer]()
    high = np.sin(begin)
    speed = high / 3.0 * np.sqrt(G * high)
    q = np.array([np.pi - begin, 0.5 * np.cos(begin) + TIP, 0.5 * np.sin(begin) + TIP])
    for run in method_answers([(name, STEP) for name in TIME_STEPPING]):
        scene = Scene(ladder_figure(), pairs=(Pair(1, 0, 2, 1),))
        trajectory = simulate(scene, run.method, run.step, q, np.zeros(3), 1.2, 1e-3)
        place = np.stack(
            [
                trajectory.q[:, 1] + 0.5 * np.cos(trajectory.q[:, 0]),
                trajectory.q[:, 2] + 0.5 * np.sin(trajectory.q[:, 0]),
            ]
        )
        off = onset(np.maximum(place[0] - TIP, 0.0), 3, place[1])
        down = int(np.flatnonzero(trajectory.q[:, 2] > 0.05)[-1])
        centre = (trajectory.q[down, 1] - trajectory.q[down - 50, 1]) / (trajectory.t[down] - trajectory.t[down - 50])
        answers.append(run.answer("height where it leaves, of the first", off / high, 2.0 / 3.0, 5e-3))
        answers.append(run.answer("speed away afterwards [m/s]", centre, speed, ROD_TOLERANCE))
    return answers


PROBLEMS = (
    ContactProblem("Rod on a smooth floor", "A rod falls from 60 degrees.", "conservation of energy", smooth_floor),
    ContactProblem(
        "Rod on a rough floor",
        "A rod falls over its lower end from 80 degrees.",
        "its equations of motion, solved by scipy to 1e-11",
        rough_floor,
    ),
    ContactProblem(
        "Ladder", "A ladder slides down a smooth wall on a smooth floor, from 70 degrees.", "closed form", ladder
    ),
)
