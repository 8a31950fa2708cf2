"""Adaptive steps gain no more energy than their tolerance allows, however abruptly a contact begins."""

import warnings

import numpy as np
import pytest
from worlds import ball, touch

from gambol.contact import SurfaceProperties
from gambol.world import Timing, World, run, start
from gambol.world.events.ledger import LedgerWarning

RADIUS = 0.05
SIZE = 2.0 * RADIUS
DROPS = np.geomspace(3e-5, 0.1, 32)
GROUNDS = [(k, c) for k in (1e3, 1e4, 1e5, 1e6) for c in (0.0, 10.0, 100.0, 1e3)]
STEP = 0.01
CASES = [(name, tolerance) for name in ("rkf45", "dormand-prince", "rosenbrock") for tolerance in (1e-3, 1e-4)]


@pytest.mark.parametrize(("integrator", "tolerance"), [*CASES, ("heun", 1e-4)])
@pytest.mark.parametrize("restitution", [0.0, 1.0])
def test_a_ball_that_is_set_down_gains_no_energy(integrator: str, tolerance: float, restitution: float):
    """The bound of docs/theory/time.md. Before, a ball from 0.1 mm gained 80 J with rkf45, which fell through."""
    for stiffness, damping in GROUNDS:
        surface = touch(
            stiffness=stiffness, damping=damping, restitution=restitution, restitution_speed=0.1, friction=0.0
        )
        world = World(
            ball(RADIUS),
            surface=SurfaceProperties(surface),
            contact="penalty",
            timing=Timing(STEP, STEP, integrator, tolerance=tolerance),
        )
        state = start(world, len(DROPS))
        state.q[:, 6] = RADIUS + DROPS
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LedgerWarning)  # of coarse steps that lose energy
            signals = run(world, state, 0.5, rate=100.0).signals
        assert (signals["status"] == 0.0).all()
        energy = signals["kinetic"] + signals["potential"] + signals["stored"]
        kinetic = energy.max(axis=0) - signals["potential"].min(axis=0)  # and so at most in any step
        per_step = 2.0 * tolerance * kinetic + 0.5 * (tolerance * SIZE / STEP) ** 2
        gain = energy.max(axis=0) - energy[0]
        # Twice: energy that the ledger does not explain, and energy that normal forces give.
        assert (gain <= 2.0 * signals["taken"][-1] * per_step).all(), (stiffness, damping, gain.max())
