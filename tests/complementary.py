"""Complementarity problems for tests: random ones, of stacks, of random figures; and solutions by brute force."""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from gambol.contact.complementarity import FrictionalContact, response
from gambol.contact.complementarity.cones import ContactProblem
from gambol.contact.complementarity.linear import LinearProblem
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.operational import Contact
from gambol.figure import random_figure, random_state
from gambol.spatial import Vector


def random_linear(seed: int, n: int, rank: int | None = None, *, boxes: bool = False) -> LinearProblem:
    """A solvable problem with a positive A of some rank; boxes: rows with all kinds of bounds."""
    random = np.random.default_rng(seed)
    B = random.normal(size=(n, n if rank is None else rank))
    A, b = B @ B.T, random.normal(size=n) if rank is None else B @ random.normal(size=rank)
    kinds = [(0.0, math.inf), (-0.7, 0.4), (-math.inf, 0.3), (0.1, 0.3), (-math.inf, math.inf)]
    chosen = [kinds[random.integers(len(kinds)) if boxes else 0] for _ in range(n)]
    return LinearProblem(A.tolist(), b.tolist(), [low for low, _ in chosen], [high for _, high in chosen])


def enumerated(problem: LinearProblem) -> Iterator[np.ndarray]:
    """w of all solutions of a linear problem: every row at a bound or free, in all combinations. For few rows."""
    A, b = np.array(problem.A), np.array(problem.b)
    bounds = [
        [None, *(x for x in {low, high} if np.isfinite(x))] for low, high in zip(problem.low, problem.high, strict=True)
    ]
    for held in itertools.product(*bounds):
        free = [k for k, x in enumerate(held) if x is None]
        z = np.array([0.0 if x is None else x for x in held])
        z[free] = np.linalg.lstsq(A[np.ix_(free, free)], -(A[free] @ z + b[free]), rcond=None)[0] if free else 0.0
        if obeys(problem, z, A @ z + b):
            yield A @ z + b


def obeys(problem: LinearProblem, z: np.ndarray, w: np.ndarray, slack: float = 1e-9) -> bool:
    """Return True if forces are within bounds, and w has the sign of the law."""
    low, high = np.array(problem.low), np.array(problem.high)
    within = np.all((z >= low - slack) & (z <= high + slack))
    return bool(within and np.all((w > -slack) | (z >= high - slack)) and np.all((w < slack) | (z <= low + slack)))


def coulomb(problem: ContactProblem, p: list[float], u: list[float]) -> float:
    """Return the violation of Coulomb's law, written out; velocities in units of b, impulses in those of b / A."""
    size = max(abs(x) for x in problem.b) + 1e-300
    worst = 0.0
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        d = problem.scales[i] / size
        pull, push, slip, leaving = (
            d * np.hypot(p[i], p[i + 1]),
            d * p[i + 2],
            np.hypot(u[i], u[i + 1]) / size,
            u[i + 2] / size,
        )
        opposite = d * (p[i] * u[i] + p[i + 1] * u[i + 1]) / size + pull * slip
        inside = max(mu * push - pull, 0.0)
        worst = max(worst, -push, -leaving, abs(push * leaving), pull - mu * push, opposite, inside * slip)
    others = LinearProblem([], [], problem.low, problem.high)
    rest = slice(3 * len(problem.mu), None)
    return worst if obeys(others, np.array(p[rest]), np.array(u[rest]), 1e-8 * (1.0 + size)) else math.inf


def stack(seed: int, boxes: int = 1, ratio: float = 1.0, mu: float = 0.5, spin: float = 0.1) -> ContactProblem:
    """Boxes on each other, four corners each, from light to heavy, pushed at random; spin: of their turning [rad/s]."""
    random, size, h = np.random.default_rng(seed), 0.2, 1e-3
    masses = np.geomspace(1.0, ratio, boxes)
    inverse = np.concatenate([np.array([*[6.0 / size**2] * 3, 1.0, 1.0, 1.0]) / m for m in masses])
    rows: list[np.ndarray] = []
    for box, (x, y) in itertools.product(range(boxes), ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))):
        half = size / 2 * (1.0 - 0.05 * box)
        for below, height in ((box, -size / 2), (box - 1, size / 2)):
            if below >= 0:
                row = np.zeros((3, 6 * boxes))
                row[:, 6 * below : 6 * below + 3] = -crossing(np.array([x * half, y * half, height]))
                row[:, 6 * below + 3 : 6 * below + 6] = np.eye(3)
                rows.append(row) if below == box else rows.append(rows.pop() - row)
    J, v = np.vstack(rows), np.zeros(6 * boxes)
    for box in range(boxes):
        v[6 * box : 6 * box + 3] = random.normal(size=3) * spin
        v[6 * box + 3 : 6 * box + 6] = [*random.normal(size=2) * 9.81 * h, -9.81 * h]
    return ContactProblem.of_contacts((J * inverse @ J.T).tolist(), (J @ v).tolist(), [mu] * (4 * boxes))


def crossing(r: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def of_figure(seed: int, contacts: int = 3) -> ContactProblem:
    """Return random contacts of a random figure that falls on them."""
    random = np.random.default_rng(seed)
    figure = random_figure(seed, 6, kinds=("revolute", "prismatic", "spherical", "universal"), root="free")
    q, v = random_state(figure, seed)
    state = kinematics(figure, q.tolist(), v.tolist())
    places: list[FrictionalContact] = []
    for _ in range(contacts):
        tilt = np.array([*random.normal(size=2) * 0.3, 1.0])
        contact = Contact(int(random.integers(1, 7)), Vector(*random.normal(size=3).tolist()) * 0.1)
        places.append(
            FrictionalContact(contact, Vector(*(tilt / np.linalg.norm(tilt)).tolist()), float(random.uniform(0.0, 1.0)))
        )
    system = response(state, places)
    return ContactProblem.of_contacts(system.A, [row.speed for row in system.rows], [s.mu for s in places])
