"""The energy ledger: what falls, swings and rubs, by every method."""

from dataclasses import astuple, replace
from functools import lru_cache

import numpy as np
import pytest
from meshes import WEIGHTLESS, flag, pair, stepper

from gambol.collide import Plane
from gambol.matter.forces import Air, Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import ImplicitOptions, MeshLedger, ProjectiveOptions, SubstepOptions

G = 9.81
EXACT = {
    "implicit euler": ImplicitOptions(1, 1e-13),
    "newton": ImplicitOptions(60, 1e-12, 1e-12),
    "position based": SubstepOptions(1),
    "projective": ProjectiveOptions(1),
}
"""Options with which a method solves the implicit Euler step of one spring along its length."""

FABRIC = ClothMaterial(density=0.3, warp=60.0, weft=60.0, shear=20.0, bend=2.0)


@lru_cache
def fallen(method, h, options=None, seconds=0.25):
    """The change of energy and the ledger of a cloth that falls askew through moving air on the ground."""
    mesh = cloth(7, 7, 0.1, replace(FABRIC, hinge=0.0 if method == "projective" else 1e-3))
    around = Surroundings(air=Air((0.5, 0.0, 0.0)), ground=Plane(), touch=Touch(60.0, 0.1, 0.4, 0.01))
    s = stepper(mesh, method, h, options, surroundings=around)
    start = s.start(mesh.points @ np.array([[0.9, 0.1, 0.3], [0.0, 1.0, 0.2], [0.0, 0.0, 1.0]]) + [0.0, 0.0, 0.15])
    state = s.advance(start, round(seconds / h))
    return s.energy(state) - s.energy(start), state.ledger


@pytest.mark.parametrize(("method", "h"), [("rk4", 2e-3), ("velocity verlet", 1e-3)])
def test_the_ledger_of_a_cloth_that_falls_through_air_on_the_ground_balances_to_a_percent(method, h):
    change, ledger = fallen(method, h, seconds=0.6)
    exchanged = sum(map(abs, (ledger.wind, ledger.damping, ledger.friction, ledger.contact)))
    assert exchanged > 0.3 * 0.3 * 0.36 * G * 0.1
    assert min(-ledger.contact, -ledger.friction, -ledger.damping) > 1e-3 * exchanged
    assert abs(change - ledger.total) < 0.01 * exchanged
    assert ledger.numerical == 0.0


@pytest.mark.parametrize(
    ("method", "steps"),
    [
        ("implicit euler", [(1 / 480, None), (1 / 1920, None)]),
        ("position based", [(1 / 60, SubstepOptions(n)) for n in (40, 160)]),
        ("projective", [(1 / 480, ProjectiveOptions(20)), (1 / 1920, ProjectiveOptions(20))]),
    ],
)
def test_the_entries_of_other_methods_tend_to_those_of_rk4_and_their_numerical_loss_to_0(method, steps):
    _, expected = fallen("rk4", 1e-3)
    far = []
    for h, options in steps:
        change, ledger = fallen(method, h, options)
        exchanged = sum(map(abs, astuple(ledger)))
        assert change == pytest.approx(ledger.total, abs=1e-9 * exchanged)
        assert ledger.numerical < 0.0
        physical = (ledger.wind, ledger.damping, ledger.friction, ledger.contact)
        of_rk4 = (expected.wind, expected.damping, expected.friction, expected.contact)
        far.append((sum(abs(a - b) for a, b in zip(physical, of_rk4, strict=True)), -ledger.numerical))
    (entries, loss), (fine_entries, fine_loss) = far
    # methods of first order with a quarter of the step: the springs of the contact are the slowest to converge
    assert fine_entries < 0.5 * entries
    assert fine_loss < 0.4 * loss
    assert fine_entries < 0.2 * sum(map(abs, astuple(expected)))


@pytest.mark.parametrize("method", EXACT)
def test_the_numerical_entry_of_one_spring_is_that_of_implicit_euler(method):
    # with u the rate of the stretch s and mu the reduced mass: (mu + h c + h^2 k) u' = mu u - h k s
    # the method takes mu (u' - u)^2/2 + k (s' - s)^2/2, the damper c u'^2 h
    k, c, masses, h, s, u = 100.0, 3.0, (1.0, 2.0), 0.05, 0.3, -0.5
    mu = masses[0] * masses[1] / sum(masses)
    rate = (mu * u - h * k * s) / (mu + h * c + h * h * k)
    motion = stepper(pair(stiffness=k, damping=c, masses=masses), method, h, EXACT[method], surroundings=WEIGHTLESS)
    state = motion.advance(motion.start([[0.0, 0, 0], [1.0 + s, 0, 0]], [[0.0, 0, 0], [u, 0, 0]]))
    assert state.velocity[1, 0] - state.velocity[0, 0] == pytest.approx(rate, rel=1e-9)
    lost = 0.5 * mu * (rate - u) ** 2 + 0.5 * k * (h * rate) ** 2
    expected = MeshLedger(damping=-c * rate * rate * h, numerical=-lost)
    assert astuple(state.ledger) == pytest.approx(astuple(expected), rel=1e-9, abs=1e-12)


def test_the_numerical_entry_of_a_cloth_is_minus_the_distances_from_the_end_of_a_step():
    # |v' - v|^2_M/2, and V(x) less the tangent of V at x': sum over springs by NumPy
    mesh = flag(6, 6, damping=0.0)
    s = stepper(mesh, "newton", 0.01, ImplicitOptions(200, 1e-10, 1e-9))
    before = s.advance(s.start(), 12)
    after = s.advance(before)
    springs, distance = mesh.springs, 0.0
    for (a, b), rest, k in zip(springs.ends, springs.rest, springs.stiffness, strict=True):
        r, end = before.position[a] - before.position[b], after.position[a] - after.position[b]
        length, l = np.linalg.norm(r), np.linalg.norm(end)
        tangent = 0.5 * k * (l - rest) ** 2 + k * (l - rest) / l * end @ (r - end)
        distance += 0.5 * k * (length - rest) ** 2 - tangent
    change = after.velocity - before.velocity
    distance += 0.5 * (mesh.masses[:, None] * change * change).sum()
    assert after.ledger.numerical - before.ledger.numerical == pytest.approx(-distance, rel=1e-5)
    assert s.energies(after).keys() == {"kinetic", "gravity", "springs"}
    assert sum(s.energies(after).values()) == s.energy(after)
