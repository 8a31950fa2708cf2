"""Light feet on massless links under a heavy body: whatever the sweeps and the feet's mass, contact gives no energy."""

import numpy as np
import pytest
from worlds import touch

from gambol.contact import Stepping, SurfaceProperties
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part, Sphere, stacked
from gambol.figure.parameters import varying
from gambol.world import Engine, Timing, World, start
from gambol.world.record import Recorder
from gambol.world.step import RUNNING

H, STEPS = 1e-3, 800
RATIOS = (1.0 / 70.0, 1e-3, 1e-4, 1e-5)
"""Mass of a foot over that of the body above: of a person 1 / 70."""

PITCH, ROLL = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
SPRINGS = {"shank": (500.0, 20.0), "foot roll": (100.0, 5.0), "foot": (300.0, 10.0)}
"""Stiffness [N m/rad] and damping [N m s/rad] of hips, and of the hinges of an ankle."""


def body(ratio: float) -> Figure:
    """A trunk of 60 kg on legs of 5 kg, whose ankles are two hinges with a massless link, and feet of four balls."""
    links = [Link("trunk", None, Joint("free"), (Part(Box((0.3, 0.4, 0.5)), density=1000.0, colliding=False),))]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shank = Part(Box((0.1, 0.1, 0.5)), (0.0, 0.0, -0.25), density=1000.0, colliding=False)
        links.append(
            Link(f"{side} shank", "trunk", Joint("revolute", PITCH, position=(0.0, 0.12 * sign, -0.25)), (shank,))
        )
        sole = Part(Box((0.25, 0.09, 0.05)), (0.05, 0.0, -0.03), density=ratio * 60.0 / 0.001125, colliding=False)
        corners = [Part(Sphere(0.01), (x, y, -0.05), inertial=False) for x in (-0.06, 0.16) for y in (-0.035, 0.035)]
        foot = Link(f"{side} foot", f"{side} shank", Joint("fixed"), (sole, *corners))
        hinges = (
            (f"{side} foot roll", Joint("revolute", ROLL, position=(0.0, 0.0, -0.5))),
            (f"{side} foot", Joint("revolute", PITCH)),
        )
        links += stacked(foot, hinges)
    return Figure("light feet", tuple(links))


def world_of(figure: Figure, iterations: int) -> World:
    springs = {
        f"{side} {name}": JointSpring(stiffness=k, damping=b)
        for side in ("left", "right")
        for name, (k, b) in SPRINGS.items()
    }
    surface = SurfaceProperties(touch(restitution=0.0, friction=0.9))
    return World(figure, springs, surface=surface, contact=Stepping(iterations=iterations), timing=Timing(H, H))


@pytest.mark.parametrize("iterations", [1, 8, 64, 400])
def test_light_feet_that_land_and_topple_never_gain_energy(iterations: int):
    """It lands askew at 1 m/s, stumbles and falls. There are no motors: the energy of the start is all there is.

    Without solve_to_tolerance() and limit_energy(), one sweep adds energy here.
    """
    figures = [body(ratio) for ratio in RATIOS]
    worlds = [world_of(figure, iterations).parametrised_by(varying(figures)) for figure in figures]
    engine = Engine(worlds[0])
    numbers = engine.numbers_of(worlds)
    state = start(worlds[0], len(worlds), position=(0.0, 0.0, 0.85))
    state.v[:, :6] = 0.3, 0.2, 0.4, 1.0, 0.2, -0.5
    recorder = Recorder(state, STEPS + 1)
    recorder.prepare(numbers)
    for k in range(STEPS + 1):
        engine.advance(state, k, numbers)
        recorder.add(state, k, 0.0)
    signals = recorder.film().signals
    energy = signals["kinetic"] + signals["potential"] + signals["stored"]
    assert np.all(energy[0] - energy[-1] > 20.0)  # it landed
    assert np.diff(energy, axis=0).max() < 1e-9 * energy.max()
    assert np.all(signals["status"][-1] == RUNNING)
    assert min(signals["impact"].min(), signals["sliding"].min()) >= 0.0
    assert np.abs(signals["unaccounted"]).max() < 2e-3 * energy.max()  # the error of the steps, of first order
