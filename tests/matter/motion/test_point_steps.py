"""Steps by points: the motion of MeshStepper, closed forms, the energy of a hand, and lanes."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import Plane
from gambol.errors import WorldError
from gambol.lanes.tree import leaves
from gambol.matter.forces import Air, Surroundings
from gambol.matter.forces.field import ForceField
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.motion.point_steps import LEDGER, METHOD, PointSteps
from gambol.view.live.numbers import number_names

MATERIAL = ClothMaterial(density=0.12, warp=200.0, weft=200.0, shear=40.0, bend=2.0, damping=1e-3)
STEP = 2e-4
EPSILON = np.finfo(float).eps


def hanging(**options):
    return cloth(6, 7, 0.06, MATERIAL, origin=(0, 0, 0.25), axes=((0, 0, -1), (1, 0, 0)), **options)


def advanced(steps, state, count, lanes=None, **changes):
    """The state and the energy before the last step; changes: inputs by name, with underscores for points."""
    inputs, names = np.array(leaves(steps.inputs), float), list(number_names(steps.inputs))
    for name, value in changes.items():
        inputs[names.index(name.replace("_", "."))] = value
    return steps.advance(state, count, inputs[:, None], lanes)


def test_wind_and_ground_move_a_cloth_as_the_stepper_does():
    """The stepper adds up springs, triangles and contacts by other programs, in another order."""
    mesh = hanging(pins=[(k, 0) for k in range(6)])
    around = Surroundings(air=Air(velocity=(5.0, 0.5, 0.0)), ground=Plane())
    stepper = MeshStepper(mesh, around, StepRule(METHOD, STEP))
    expected = stepper.advance(stepper.start(), 400)
    steps = PointSteps(ForceField(mesh, around), STEP)
    state, _ = advanced(steps, steps.start(mesh.points), 400)
    n = len(mesh.points)
    # rounding of forces of up to 20 N on 0.1 g, over 400 steps, grows at most by the square of their number
    bound = EPSILON * 20.0 / mesh.masses.min() * STEP * 400
    np.testing.assert_allclose(state[3:6, :n].T, expected.velocity, rtol=0.0, atol=bound)
    np.testing.assert_allclose(state[:3, :n].T, expected.position, rtol=0.0, atol=bound * STEP * 400)
    assert expected.position[:, 2].min() < 0.0  # it touches the ground
    received = dict(zip(LEDGER, state[6:, :n].sum(axis=1), strict=True))
    for name in ("wind", "damping", "friction", "contact"):
        assert received[name] == pytest.approx(getattr(expected.ledger, name), rel=1e-9)
        assert received[name] != 0.0
    assert received["hand"] == 0.0


def test_a_cloth_that_is_let_go_falls_by_the_closed_form():
    """All points at rest length: springs have no force, and semi-implicit Euler falls by g h^2 n (n + 1)/2."""
    mesh = hanging(pins=[(0, 0), (5, 6)])
    steps = PointSteps(ForceField(mesh, Surroundings()), STEP)
    state, _ = advanced(steps, steps.start(mesh.points), 100, held=0.0)
    fallen = 9.81 * STEP**2 * 100 * 101 / 2
    np.testing.assert_allclose(state[2, :42], mesh.points[:, 2] - fallen, rtol=0.0, atol=1e-12)
    held, _ = advanced(steps, steps.start(mesh.points), 100)
    np.testing.assert_array_equal(held[:3, [0, 41]], mesh.points[[0, 41]].T)


def test_the_energy_of_a_pulled_cloth_is_that_of_its_ledger_up_to_the_order_of_the_step():
    """What is missing is divided by about two when the step is: the work of an explicit step is that of its start."""
    mesh = hanging(pins=[(k, 0) for k in range(6)])
    missing = []
    for h in (STEP, STEP / 2, STEP / 4):
        steps = PointSteps(ForceField(mesh, Surroundings()), h)
        start = steps.start(mesh.points)
        hand = {"hand_point": 41.0, "hand_target_x": 0.2, "hand_target_y": 0.3, "hand_target_z": 0.1}
        count = round(0.1 / h)
        before, _ = advanced(steps, start, count, **hand)
        _, energy = advanced(steps, before, 1, **hand)
        _, first = advanced(steps, start, 1, **hand)
        received = before[6:, :42].sum()
        gained = energy[:42].sum() - first[:42].sum()
        missing.append(gained - received)
        assert before[6 + LEDGER.index("hand"), 41] > 0.05  # J
    ratios = np.array(missing[:-1]) / missing[1:]
    assert np.all((ratios > 1.5) & (ratios < 2.6)), missing
    assert abs(missing[-1]) < 0.05 * before[6 + LEDGER.index("hand"), 41]


def test_the_force_of_the_hand_is_limited():
    """A point alone, pulled from afar: it accelerates by ten weights of the mesh, along the spring."""
    mesh = replace(rope([(0, 0, 0), (0, 0, 1)], density=0.1, stretch=1.0), springs=type(hanging().springs)())
    steps = PointSteps(ForceField(mesh, Surroundings(gravity=(0.0, 0.0, 0.0))), 1e-3)
    inputs = {"hand_point": 0.0, "hand_target_x": 1e6, "hand_stiffness": 1e3, "hand_damping": 0.0}
    state, _ = advanced(steps, steps.start(mesh.points), 1, **inputs)
    np.testing.assert_allclose(state[3:6, 0], [1e-3 * 10 * 9.81 * mesh.masses.sum() / mesh.masses[0], 0, 0], atol=1e-12)
    assert state[3:6, 1].tolist() == [0.0, 0.0, 0.0]


def test_the_bits_do_not_depend_on_lanes():
    mesh = hanging(pins=[(0, 0)])
    steps = PointSteps(ForceField(mesh, Surroundings(air=Air(velocity=(3, 1, 0)), ground=Plane())), STEP)
    first, energies = advanced(steps, steps.start(mesh.points), 50, lanes=1)
    for lanes in (4, 8):
        state, others = advanced(steps, steps.start(mesh.points), 50, lanes=lanes)
        np.testing.assert_array_equal(state, first)
        np.testing.assert_array_equal(others, energies)


@pytest.mark.parametrize(
    ("mesh", "step", "match"),
    [
        (rope([(0, 0, 0), (0.1, 0, 0), (0.2, 0, 0)], density=1.0, stretch=10.0, bend=1.0), STEP, '"rope" has bends'),
        (cloth(3, 3, 0.1, ClothMaterial(tears_at=1.5)), STEP, '"cloth" has springs that tear'),
        (cloth(3, 3, 0.1), 0.0, "a step of 0.0 s is impossible"),
    ],
)
def test_what_steps_by_points_lack_is_named(mesh, step, match):
    with pytest.raises(WorldError, match=match):
        PointSteps(ForceField(mesh, Surroundings()), step)
