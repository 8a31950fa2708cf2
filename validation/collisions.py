"""Problems of impacts: a ball that hits a wall obliquely, rows of balls, a rod that friction drives into the ground."""

import math

import numpy as np

from gambol.contact.impulse import (
    Collisions,
    Impacts,
    collision,
    reflection_impacts,
    sequential_impacts,
    simultaneous_impacts,
)
from gambol.spatial import Vector
from gambol.spatial.matrix import Matrix
from validation.problem import Problem, Row

HYPOTHESES = ("newton", "poisson", "stronge")


def oblique_ball() -> list[Row]:
    """A solid ball of 1 kg and 1 m: a tangential impulse changes the contact velocity 7/2 times as much."""
    K = Matrix.of([[3.5, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 1.0]])
    rows: list[Row] = []
    for vx, vz, e, mu in ((1.0, -2.0, 0.8, 0.3), (3.0, -1.0, 0.8, 0.1)):
        normal = -(1.0 + e) * vz
        along = -min(vx / 3.5, mu * normal)
        for name in HYPOTHESES:
            p = collision(K, Vector(vx, 0.0, vz), mu, e, name).impulse
            what = f"by {name}, from ({vx:g}, {vz:g}) m/s [N s]"
            rows += [Row(f"p_n {what}", p.z, normal, 1e-9), Row(f"p_t {what}", p.x, along, 1e-9)]
    return rows


def balls_after(law: str, masses: list[float], speeds: list[float], e: float) -> list[float]:
    """Return the speeds of balls in a row after their collision."""
    m, v = np.array(masses), np.array(speeds)
    J = np.diff(np.eye(len(m)), axis=0)
    collisions = Collisions((J / m @ J.T).tolist(), (J @ v).tolist(), [], [e] * len(J))
    impacts: Impacts = {
        "in sequence": sequential_impacts,
        "at once": simultaneous_impacts,
        "by reflection": reflection_impacts,
    }[law](collisions)
    return (v + J.T @ np.array(impacts.p) / m).tolist()


CRADLES: list[tuple[list[str], list[float], list[float], float, list[float]]] = [
    (["in sequence", "by reflection"], [1.0] * 3, [1.0, 0.0, 0.0], 1.0, [0.0, 0.0, 1.0]),
    (["in sequence", "by reflection"], [1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0], 1.0, [0.0, 0.0, 0.0, 1.0, 1.0]),
    (["at once"], [1.0] * 3, [1.0, 0.0, 0.0], 1.0, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
    (["in sequence", "at once", "by reflection"], [1.0, 2.0], [1.0, 0.0], 1.0, [-1.0 / 3.0, 2.0 / 3.0]),
    (["in sequence", "at once", "by reflection"], [1.0, 2.0], [1.0, 0.0], 0.5, [0.0, 0.5]),
]
"""Laws, masses [kg], speeds [m/s], restitution, and the speeds afterwards."""


def cradle() -> list[Row]:
    """Rigid balls alone do not determine the result: each collision law has its own answer."""
    rows: list[Row] = []
    for laws, masses, speeds, e, reference in CRADLES:
        for law in laws:
            after = balls_after(law, masses, speeds, e)
            what = f"of {len(masses)} balls {law}, e = {e:g} [m/s]"
            rows += [Row(f"v{k} {what}", a, b, 1e-6) for k, (a, b) in enumerate(zip(after, reference, strict=True), 1)]
    return rows


def jamming_rod() -> list[Row]:
    """A slender rod that slides on its tip: friction presses it in until the slip stops, and then it sticks.

    With a = K_xx, b = K_xz < 0, c = K_zz and slip -1 m/s, sliding takes p_1 = 1 / (mu a + b) and changes u_z by
    (c + mu b) p_1; then u_z rises by c - b^2 / a.
    """
    x, z, mu, e, u = 0.5 * math.cos(0.9), 0.5 * math.sin(0.9), 2.0, 0.5, -0.1
    a, b, c = 1.0 + 12.0 * z * z, -12.0 * x * z, 1.0 + 12.0 * x * x
    K = Matrix.of([[a, 0.0, b], [0.0, 1.0, 0.0], [b, 0.0, c]])
    impact = collision(K, Vector(-1.0, 0.0, u), mu, e)
    slides, rise = 1.0 / (mu * a + b), c - b * b / a
    fastest = u + (c + mu * b) * slides
    stored = -(u + 0.5 * (c + mu * b) * slides) * slides + 0.5 * fastest * fastest / rise
    leaving = e * math.sqrt(2.0 * stored * rise)
    return [
        Row("work stored [J]", impact.stored, stored, 1e-12),
        Row("work given back [J]", impact.released, e * e * stored, 1e-12),
        Row("speed after [m/s]", impact.velocity.z, leaving, 1e-12),
        Row("slip after [m/s]", impact.velocity.x, 0.0, 1e-12),
        Row("normal impulse [N s]", impact.impulse.z, slides + (leaving - fastest) / rise, 1e-12),
    ]


PROBLEMS = (
    Problem(
        "A ball hits a wall obliquely",
        "Impulses on a solid ball, by each hypothesis of restitution.",
        "closed form",
        oblique_ball,
        method="collision",
    ),
    Problem(
        "Newton's cradle",
        "Balls in a row touch one another. Each law of simultaneous impacts has its own result.",
        "closed form of each law",
        cradle,
        method="every law of impact",
    ),
    Problem(
        "A rod jams",
        "A slender rod at 0.9 rad hits the ground with mu = 2 and e = 0.5, by Stronge's hypothesis.",
        "closed form",
        jamming_rod,
        method="collision",
    ),
)
