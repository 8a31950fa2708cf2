"""Coulomb friction of blocks: on slopes, on the level, and on each other."""

import numpy as np

from gambol.collide.broad import Pair
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, gathered
from validation.contact.answer import Answer, ContactProblem, Sheet, sheets
from validation.contact.scene import LARGE, Scene, Track, free_body, leaning, placed, tracked
from validation.given import given

G, HALF = 9.81, 0.05
BLOCK = free_body("block", Box((0.4, 0.4, 2.0 * HALF)))
DEEP = 9.81 / 4e6
"""How deep the block's corners lie in the ground of penalty [m]."""

SOFT_START = "the corners bend their bristles before they slide, and swing on them where they stick"
LIMITS = {"penalty": {"speed": (SOFT_START, 2e-3), "creep": (SOFT_START, 1e-3), "stops": (SOFT_START, 2e-2)}}


def slid(sheet: Sheet, friction: float, degrees: float, speed: float, seconds: float) -> Track:
    """A block on a slope, set in motion down it."""
    scene = Scene(BLOCK, friction, gravity=leaning(degrees), feet=("block",), damping=200.0)
    v = np.array([0.0, 0.0, 0.0, speed, 0.0, 0.0])
    z = HALF - (DEEP * np.cos(np.radians(degrees)) if sheet.method == "penalty" else 0.0)
    return tracked(scene, sheet.method, sheet.step, placed(z=z), v, seconds, frame=1e-3)


def incline() -> list[Answer]:
    """From rest: below the critical angle the block stays, above it slides."""
    found: list[Answer] = []
    for sheet in sheets([*((name, 1e-3) for name in LARGE), ("penalty", 1e-3)], LIMITS):
        for case in given("incline_block"):
            mu, degrees = case["mu"], case["theta_deg"]
            track = slid(sheet, mu, degrees, 0.0, 2.0)
            of = f"{degrees} degrees, mu = {mu} "
            x, v = track.q[-1, 4], track.v[-1, 3]
            if case["accel"]:
                found.append(sheet.answer(f"speed after 2 s, {of}[m/s]", v, case["v_2s"], 1e-3 * case["v_2s"]))
                found.append(sheet.answer(f"way in 2 s, {of}[m]", x, case["dist_2s"], 1e-3 * case["dist_2s"]))
            else:
                second = track.q[-1, 4] - track.q[len(track.t) // 2, 4]
                found.append(sheet.answer(f"creep, {of}[m/s]", second, 0.0, 1e-6))
    return found


def stopping() -> list[Answer]:
    """A block slides to rest; when it stops is told by its last speeds."""
    found: list[Answer] = []
    for sheet in sheets([*((name, 2.5e-4) for name in LARGE), ("penalty", 1e-3)], LIMITS):
        for case in given("sliding_stop"):
            track = slid(sheet, case["mu"], 0.0, case["v0"], case["time"] + 0.1)
            speed = track.v[:, 3]
            last = int(np.flatnonzero(speed > 0.02 * case["v0"])[-1])
            end = track.t[last] + speed[last] / (G * case["mu"])
            of = f"from {case['v0']:g} m/s, mu = {case['mu']:g} "
            found.append(sheet.answer(f"stops {of}after [s]", end, case["time"], 1e-3 * case["time"]))
            found.append(sheet.answer(f"way {of}[m]", track.q[-1, 4], case["dist"], 1e-3 * case["dist"]))
    return found


def plank_and_block(mu: float) -> Figure:
    """A block on a plank, which lies on the ground; only the two rub on each other."""
    plank = (Part(Box((2.0, 0.4, 0.1)), density=2.0 / 0.08, friction=0.0),)
    corners = [(x, y, 0.005 - HALF) for x in (0.1, -0.1) for y in (0.1, -0.1)]
    feet = (Part(Sphere(0.005), at, inertial=False, friction=mu, group=2, mask=2) for at in corners)
    block = (Part(Box((0.2, 0.2, 0.1)), density=1.0 / 0.004, colliding=False), *feet)
    each = (("plank", plank), ("block", block))
    return gathered("plank and block", [Figure(n, (Link(n, None, Joint("free"), parts),)) for n, parts in each])


def dragged() -> list[Answer]:
    """The plank starts at 2 m/s under the block of half its mass; friction brings both to one speed.

    They approach each other at mu g (1 + m / M), so slide V^2 / (2 mu g (1 + m / M)) on each other.
    """
    M, m, V, mu = 2.0, 1.0, 2.0, 0.4
    closing = mu * G * (1.0 + m / M)
    figure = plank_and_block(mu)
    scene = Scene(figure, pairs=tuple(Pair(2, 0, 3, foot) for foot in range(1, 5)))
    q = np.concatenate([placed(z=0.05), placed(x=0.5, z=0.15)])
    v = np.zeros(12)
    v[3] = V
    found: list[Answer] = []
    for sheet in sheets([(name, 5e-4) for name in LARGE]):
        track = tracked(scene, sheet.method, sheet.step, q, v, 0.6)
        slip = (track.q[-1, 4] - track.q[0, 4]) - (track.q[-1, 11] - track.q[0, 11])
        found.append(sheet.answer("speed of the plank at last [m/s]", track.v[-1, 3], V * M / (M + m), 1e-3))
        found.append(sheet.answer("speed of the block at last [m/s]", track.v[-1, 9], V * M / (M + m), 1e-3))
        found.append(sheet.answer("way on each other [m]", slip, V * V / (2.0 * closing), 1e-3))
        found.append(sheet.answer("height of the block [m]", track.q[-1, 13], 0.15, 2e-5))
    return found


def critical() -> list[Answer]:
    """A floor that speeds up: the block is carried along up to mu g, which is where it begins to be left behind."""
    mu, found = 0.5, list[Answer]()
    for sheet in sheets([*((name, 1e-3) for name in LARGE), ("penalty", 1e-3)], LIMITS):
        for part in (0.98, 1.02):
            a = part * mu * G
            scene = Scene(BLOCK, mu, gravity=(-a, 0.0, -G), feet=("block",), damping=200.0)
            z = HALF - (DEEP if sheet.method == "penalty" else 0.0)
            track = tracked(scene, sheet.method, sheet.step, placed(z=z), np.zeros(6), 1.0)
            behind = track.v[-1, 3] - track.v[len(track.t) // 2, 3]
            what = f"speed lost from 0.5 to 1 s at {part:g} mu g [m/s]"
            found.append(sheet.answer(what, behind, -0.5 * max(part - 1.0, 0.0) * mu * G, 1e-5))
    return found


PROBLEMS = (
    ContactProblem("Block on a slope", "A block from rest on slopes of 20 to 45 degrees.", "closed form", incline),
    ContactProblem("Block that slides to rest", "A block pushed over level ground.", "closed form", stopping),
    ContactProblem(
        "Block on a plank", "A plank of 2 kg slides away under a block of 1 kg, mu = 0.4.", "closed form", dragged
    ),
    ContactProblem(
        "Block on a floor that speeds up", "At 2 % less and more than mu g, mu = 0.5.", "closed form", critical
    ),
)
