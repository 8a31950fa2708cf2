"""Parts that fly together under dynamic constraints, against closed forms, conservation laws and closed loops."""

from typing import Any

import numpy as np
import pytest

from gambol.dynamics import kinematics, momentum
from gambol.dynamics.loops import assembled, closed_dynamics, projected_velocity
from gambol.dynamics.tangent import integrate_configuration, tangent_rates
from gambol.errors import FigureError, GambolError
from gambol.figure import Closure, Figure, Joint, Link, MassProperties
from gambol.integrate import MotionState, StepControl, System, integrate_to, integrator
from gambol.plan.assembly import AssemblyOptions, PathConstraint, assemble_by_forces, loose_parts
from gambol.plan.path import Ease, PacedCurve, SineEase
from gambol.plan.pose import OrientationGoal, PointGoal
from gambol.spatial import catmull_rom, straight

BLOCK = MassProperties(2.0, (0.0, 0.0, 0.0), ((0.05, 0.0, 0.0), (0.0, 0.06, 0.0), (0.0, 0.0, 0.08)))
T = 0.3


def blocks(count: int, joint: str = "free") -> Figure:
    """Loose blocks; or a chain of them, from centre to centre 1 m apart along x."""
    if joint == "free":
        links = [
            Link("floor", None, Joint("fixed")),
            *(Link(f"b{k}", "floor", Joint("free"), (), BLOCK) for k in range(count)),
        ]
        return Figure("blocks", tuple(links))
    chain = [Link("b0", None, Joint("free"), (), BLOCK)]
    chain += [Link(f"b{k}", f"b{k - 1}", Joint(joint, position=(1.0, 0.0, 0.0)), (), BLOCK) for k in range(1, count)]
    return Figure("chain", tuple(chain))


def random_starts(worlds: int, parts: int, seed: int = 0) -> np.ndarray:
    q = np.random.default_rng(seed).normal(size=(worlds, parts, 7))
    q[..., :4] /= np.linalg.norm(q[..., :4], axis=-1, keepdims=True)
    return q.reshape(worlds, -1)


def decay(times: np.ndarray) -> np.ndarray:
    return (1.0 + times / T) * np.exp(-times / T)


@pytest.fixture(scope="module")
def chain() -> Any:
    figure, constraints = loose_parts(blocks(3, "spherical"))
    v = np.random.default_rng(1).normal(size=(4, figure.nv))
    flight = assemble_by_forces(figure, random_starts(4, 3), constraints, seconds=4.0, time_constant=T, v=v)
    return figure, flight


def test_deviations_are_critically_damped(chain: Any):
    """D = (D_0 + (D_0' + D_0 / T) t) e^(-t / T), row by row, from moving starts."""
    figure, flight = chain
    times = flight.times
    for world in range(4):
        state = kinematics(figure, flight.q[0, world].tolist(), flight.v[0, world].tolist())
        for goal, column in zip(flight.constraints, np.moveaxis(flight.deviations[:, world], 1, 0), strict=True):
            rows = goal.rows(state, goal.numbers().tolist())
            gap, speed = np.array([r.gap for r in rows]), np.array([r.speed for r in rows])
            expected = (gap + (speed + gap / T) * times[:, None]) * np.exp(-times[:, None] / T)
            np.testing.assert_allclose(column, np.linalg.norm(expected, axis=1), atol=2e-6)
    assert flight.assembled.all()
    assert flight.unmet() == []


def test_constraint_forces_between_parts_conserve_momentum(chain: Any):
    """The whole spatial momentum, angular and linear, of parts that are tied only to each other."""
    figure, flight = chain
    whole = [
        [*(m := momentum(kinematics(figure, q.tolist(), v.tolist()))).n, *m.f]
        for q, v in zip(flight.q[::30, 0], flight.v[::30, 0], strict=True)
    ]
    np.testing.assert_allclose(whole, np.tile(whole[0], (len(whole), 1)), atol=1e-5)


def test_a_block_held_at_a_nail_against_gravity_needs_its_weight():
    figure = blocks(1)
    goals = [PointGoal("b0", (0.0, 0.0, 1.0)), OrientationGoal("b0")]
    options = AssemblyOptions(gravity=9.81)
    flight = assemble_by_forces(figure, random_starts(3, 1), goals, seconds=6.0, time_constant=T, options=options)
    assert flight.assembled.all()
    np.testing.assert_allclose(flight.forces[-1, :, 0], 2.0 * 9.81, rtol=1e-5)
    np.testing.assert_allclose(flight.row_forces[0][-1, :, 2], 2.0 * 9.81, rtol=1e-5)
    np.testing.assert_allclose(
        flight.deviations[:, :, 1], flight.deviations[0, :, 1] * decay(flight.times)[:, None], atol=1e-5
    )


@pytest.mark.parametrize("pace", [Ease(0.3, 0.3), SineEase()])
def test_a_point_follows_a_path_at_a_pace(pace: Any):
    """Once it is on the path it stays there: the target's speed and acceleration are fed forward."""
    curve = catmull_rom([(0, 0, 0), (1, 0.5, 0.2), (1.5, 1.5, 0), (1, 2, 0.5)])
    paced = PacedCurve(curve, 2.0, pace, start=1.0)
    flight = assemble_by_forces(
        blocks(1), random_starts(1, 1), [PathConstraint("b0", paced, (0.1, 0.0, 0.0))], seconds=4.0, time_constant=0.1
    )
    place = flight.deviations[0, 0, 0] * (1.0 + flight.times / 0.1) * np.exp(-flight.times / 0.1)
    np.testing.assert_allclose(
        flight.deviations[:, 0, 0], place, atol=3e-4
    )  # of a frame's polynomial, where pace jumps
    assert flight.deviations[120:, 0, 0].max() < 3e-4


def four_bar() -> Figure:
    """Rods of 0.4, 1.0 and 0.7 m in the plane y = 0, and 0.8 m of ground: the shortest can turn all round."""

    def rod(length: float) -> MassProperties:
        return MassProperties(1.0, (length / 2, 0.0, 0.0), ((0.02, 0, 0), (0, 0.05, 0), (0, 0, 0.05)))

    y = (0.0, 1.0, 0.0)
    links = (
        Link("left", None, Joint("revolute", y), (), rod(0.4)),
        Link("middle", "left", Joint("revolute", y, position=(0.4, 0.0, 0.0)), (), rod(1.0)),
        Link("right", "middle", Joint("revolute", y, position=(1.0, 0.0, 0.0)), (), rod(0.7)),
    )
    hinge = Closure("point", "right", None, position=(0.7, 0.0, 0.0), other_position=(0.8, 0.0, 0.0))
    return Figure("four-bar", links, constraints=(hinge,))


@pytest.fixture(scope="module")
def closed() -> Any:
    figure = four_bar()
    q = assembled(figure, [1.2, -1.2, 1.5])
    parts, constraints = loose_parts(figure, q)
    options = AssemblyOptions(gravity=9.81, tolerance=1e-9)
    starts = random_starts(6, 3, seed=4)
    return figure, assemble_by_forces(parts, starts, constraints, seconds=7.0, time_constant=T, options=options)


def test_forces_of_every_constraint_and_frame_are_returned(closed: Any):
    _, flight = closed
    assert flight.forces.shape == (421, 6, len(flight.constraints))
    sizes = np.stack([np.linalg.norm(f, axis=2) for f in flight.row_forces], axis=2)
    np.testing.assert_allclose(flight.forces, sizes)
    assert flight.film().signals["forces"].shape == flight.forces.shape


def test_redundant_rows_of_a_plane_linkage_are_left_out():
    """Three revolute joints and a point are 18 rows; 18 freedoms less one of the linkage leave 17."""
    parts, constraints = loose_parts(four_bar())
    state = kinematics(parts, random_starts(1, 3)[0].tolist(), [0.0] * parts.nv)
    assert sum(len(goal.rows(state, goal.numbers().tolist())) for goal in constraints) == 17


def test_a_closed_linkage_assembles_itself_from_any_start(closed: Any):
    _, flight = closed
    assert flight.assembled.all()
    assert np.isinf(flight.stopped).all()


def test_afterwards_it_moves_as_the_linkage_does(closed: Any):
    """Against the closed loop in joint coordinates, by constraint propagation, for 0.05 s from 6 s on."""
    figure, flight = closed
    k = 360
    for world in (2, 4):
        q, v = joint_state(figure, flight, k, world)
        system = System(
            lambda t, q, v: (closed_dynamics(kinematics(figure, q, v), [0.0] * figure.nv).a, []),
            lambda q, x: integrate_configuration(figure, q, x),
            lambda q, x, v: tangent_rates(figure, q, x, v),
        )
        control = StepControl(1e-3, [1e-9] * (2 * figure.nv))
        end = integrate_to(integrator("dormand-prince"), system, MotionState(q, v), (0.0, 0.05), control)
        found, _ = joint_state(figure, flight, k + 3, world)
        assert abs(np.array(found) - q).max() > 0.1
        # gaps of 2e-7 are left at 6 s; turning at 30 rad/s for 0.05 s multiplies them by some tens
        np.testing.assert_allclose(np.sin(end.state.q), np.sin(found), atol=2e-5)


def joint_state(figure: Figure, flight: Any, frame: int, world: int) -> tuple[list[float], list[float]]:
    """Joint coordinates and velocities of the linkage at a frame: angles of parts about y, and their differences."""
    q, v = flight.q[frame, world].reshape(3, 7), flight.v[frame, world].reshape(3, 6)
    angles = 2.0 * np.arctan2(q[:, 2], q[:, 0])
    joints = np.diff(angles, prepend=0.0)
    rates = np.diff(v[:, 1], prepend=0.0)
    state = kinematics(figure, joints.tolist(), rates.tolist())
    return joints.tolist(), [float(x) for x in projected_velocity(state)]


def test_bad_input_is_an_error():
    figure = blocks(2)
    q = random_starts(1, 2)[0]
    for words, goals, more in [
        ("nothing to assemble", [], {}),
        ("did you mean", [PointGoal("b7", (0, 0, 0))], {}),
        ("time_constant is 0", [PointGoal("b0", (0, 0, 0))], {"time_constant": 0.0}),
        ("velocities v have shape", [PointGoal("b0", (0, 0, 0))], {"v": [0.0]}),
        ("several poses", [PointGoal("b0", np.zeros((2, 3)))], {}),
    ]:
        with pytest.raises(GambolError, match=words):
            assemble_by_forces(figure, q, goals, **{"seconds": 1.0, "time_constant": 0.1, **more})
    with pytest.raises(FigureError, match="can be taken apart"):
        loose_parts(blocks(2, "prismatic"))
    with pytest.raises(GambolError, match="duration"):
        PacedCurve(straight((0, 0, 0), (1, 0, 0)), -1.0)
