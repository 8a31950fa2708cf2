"""Contact adds no energy: light spokes, pucks pressed on a drum, chains spun on ice."""

import numpy as np
import pytest
from worlds import point, touch

from gambol.collide.broad import Pair
from gambol.contact import Stepping, SurfaceProperties
from gambol.dynamics import kinematics, kinetic_energy, potential_energy
from gambol.figure import Capsule, Cylinder, Figure, Joint, JointSpring, Link, MassProperties, Part, Sphere
from gambol.world import Engine, State, Timing, World, start

H = 1e-3
TURNED = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))  # a shape's z along the link's x


def energies(world: World, state: State, steps: int, gravity: float) -> np.ndarray:
    """Kinetic and potential energy after every step [J]."""
    engine, result = Engine(world, lanes=1), list[float]()
    for k in range(1, steps + 1):
        engine.advance(state, k)
        now = kinematics(world.figure, list(state.q[0]), list(state.v[0]))
        result.append(float(kinetic_energy(now)) + float(potential_energy(now, gravity)))
    return np.array(result)


@pytest.mark.parametrize("inertia", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("iterations", [4, 24])
def test_a_wheel_of_light_spokes_never_gains_energy(inertia: float, iterations: int):
    """A rimless wheel of 1 kg and 1 m that rolls over its spokes, each of which lands without a rebound."""
    a, g = np.pi / 6, 9.81
    tips = [(np.sin((2 * k + 1) * a), 0.0, -np.cos((2 * k + 1) * a)) for k in range(6)]
    joint = Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0))
    parts = tuple(Part(Sphere(1e-6), tip, inertial=False) for tip in tips)
    mass = MassProperties(1.0, (0.0, 0.0, 0.0), ((inertia, 0.0, 0.0), (0.0, inertia, 0.0), (0.0, 0.0, inertia)))
    figure = Figure("wheel", (Link("hub", None, joint, parts, mass),))
    timing = Timing(control_step=H, step=H)
    world = World(
        figure,
        surface=SurfaceProperties(touch(restitution=0.0, friction=3.0)),
        contact=Stepping(iterations=iterations),
        timing=timing,
    )
    state = start(world)
    state.q[0], state.v[0] = (0.0, 0.0, np.cos(a) + 1e-6), (-2.5, 2.5 * np.cos(a), 2.5 * np.sin(a))
    E = energies(world, state, 1000, g)
    assert E[0] - E[-1] > 1.0  # it landed
    # Position correction at landings lifts by a slop of 1e-5 of the size: m g slop. Before, steps gained up to 0.05 J.
    assert np.diff(E).max() < 1.0 * g * 2e-5


def test_a_puck_pressed_on_a_drum_conserves_energy():
    """A smooth puck of 1 kg, pressed on a drum of 0.5 m by 300 N: it once gained four times its energy in 3 s."""
    drum = Link("drum", None, Joint("fixed"), (Part(Cylinder(0.49, 1.0), inertial=False),), point(1.0, (0.0, 0.0, 0.0)))
    rail = Link("rail", "drum", Joint("revolute", (0.0, 0.0, 1.0)), (), point(1e-9, (0.0, 0.0, 0.0)))
    disc = Part(Sphere(0.01), inertial=False)
    puck = Link("puck", "rail", Joint("prismatic", (1.0, 0.0, 0.0)), (disc,), point(1.0, (0.0, 0.0, 0.0)))
    world = World(
        Figure("puck", (drum, rail, puck)),
        {"puck": JointSpring(bias=-300.0)},
        surface=SurfaceProperties(touch(restitution=0.0, friction=0.0)),
        contact="stepping",
        gravity=0.0,
        pairs=(Pair(1, 0, 3, 0),),
        timing=Timing(control_step=H, step=H),
    )
    state = start(world)
    state.q[0], state.v[0] = (0.0, 0.5), (2.0 * np.sqrt(2.0 * 5.46), 0.0)
    E = energies(world, state, 3000, 0.0)
    np.testing.assert_allclose(E, 5.46, rtol=1e-9)


def test_weight_does_nothing_to_a_chain_spun_about_an_end_on_ice():
    """Three links on smooth ice: they once lost 1.6 % in 5 s by their weight, which the ice carries."""

    def spun(gravity: float) -> np.ndarray:
        shape = Part(Capsule(0.02, 0.2), (0.1, 0.0, 0.0), TURNED, density=800.0)
        joints = [Joint("spherical", position=(0.2 if k else 0.0, 0.0, 0.0 if k else 0.02)) for k in range(3)]
        links = [Link(f"link{k}", f"link{k - 1}" if k else None, joint, (shape,)) for k, joint in enumerate(joints)]
        figure = Figure("chain", tuple(links))
        timing = Timing(control_step=H, step=H)
        world = World(
            figure,
            surface=SurfaceProperties(touch(restitution=0.0, friction=0.0)),
            contact="stepping",
            gravity=gravity,
            timing=timing,
        )
        state = start(world)
        for k in range(1, 3):
            state.q[0, 4 * k : 4 * k + 4] = (np.cos(0.15), 0.0, 0.0, np.sin(0.15))
        state.v[0, [2, 5, 8]] = (5.0, 1.7, -3.3)
        E = energies(world, state, 2000, gravity)
        return E - E[0]

    # The same motion but for rounding, which the chain's own chaos makes larger, and for what parts bodies.
    np.testing.assert_allclose(spun(9.81), spun(0.0), atol=1e-3)
