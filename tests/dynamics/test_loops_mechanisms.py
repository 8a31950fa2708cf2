"""Linkages with known motion: benchmarks, a straight line, reduced equations, and a loop that should not move."""

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.dynamics.loops import (
    LoopOptions,
    assembled,
    closed_dynamics,
    jacobian_row,
    rows,
)
from gambol.errors import FigureError
from gambol.figure import Figure
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector
from validation.linkages import bennett, ladder, peaucellier, windows, windows_state
from validation.movement import Run, coordinates, energy, history, loop_errors, simulation_program, started_by_impulse

Array = np.ndarray

WINDOWS = [
    (1.0, 3.3378708031051825, 6.80738524086951),
    (2.0, 6.3410333613122365, 1.0189645914381584),
    (4.0, 12.684259593513492, 1.0765111800844218),
    (7.5, 24.823681736802662, 1.44378906179239),
    (10.0, 31.750597186981643, 1.5066421808294561),
    (20.0, 63.82866939310681, 3.385442556316607),
]
"""Time, angle and speed of the uprights of two windows: IFToMM benchmark A02 reduced to one degree of freedom."""


@pytest.mark.parametrize(
    ("run", "accuracy"),
    [
        (Run(1e-3), 1e-6),
        (Run(1e-3, LoopOptions("crba")), 1e-6),
        (Run(1e-3, LoopOptions(stabilisation=100.0), project=False), 1e-6),
    ],
)
def test_two_windows_pass_their_singular_positions(run: Run, accuracy: float):
    """A02: all bars lie on one line twice a turn, where rows become dependent and another branch of motion opens."""
    figure = windows(2)
    found = history(figure, *windows_state(figure, 0.0, 1.0), [t for t, _, _ in WINDOWS], run)
    for (t, angle, speed), (q, v) in zip(WINDOWS, found, strict=True):
        tolerance = accuracy if t <= 10.0 else 100 * accuracy
        assert abs(q[0] - angle) < tolerance
        assert abs(v[0] - speed) < 4 * tolerance
        assert max(loop_errors(figure, q, v)) < 1e-6


@pytest.mark.parametrize("h", [2.3e-3, 7e-4])
def test_no_step_lands_badly_on_a_singular_position(h: float):
    """Steps of lengths that meet it now and then: such a step has an error of some 1e-5 J."""
    figure = windows(2)
    q, v = windows_state(figure, 0.0, 1.0)
    before = energy(figure, q, v)
    ((q, v),) = history(figure, q, v, [20.0], Run(h))
    assert energy(figure, q, v) == pytest.approx(before, abs=1e-4)
    assert max(loop_errors(figure, q, v)) < 1e-12


def test_the_singular_position_itself_does_no_harm():
    figure = windows(2)
    for off in (0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5):
        q, v = windows_state(figure, np.pi / 2 + off, 3.0)
        for method in ("propagation", "aba", "crba"):
            found = closed_dynamics(kinematics(figure, q.tolist(), v.tolist()), [0.0] * figure.nv, LoopOptions(method))
            assert np.abs(found.a).max() < 40.0


def test_windows_in_single_precision():
    """One window, whose motion is that of two with other masses: against double precision, to a part in 1e4."""
    figure = windows(1)
    program = simulation_program(figure, Run(1e-3))
    single = Program(program.spec, "float32")
    q, v = (x.reshape(-1, 1) for x in windows_state(figure, 0.0, 1.0))
    steps = np.array([[3000.0]])
    fine, rough = program(q, v, steps), single(q.astype("f4"), v.astype("f4"), steps.astype("f4"))
    np.testing.assert_allclose(rough[0], fine[0], atol=5e-3)
    assert max(loop_errors(figure, *(x[:, 0].astype(float) for x in rough))) < 1e-4


PEAUCELLIER = {"crank": 0.0, "upper": 0.6, "lower": -0.6, "upper_in": -2.0, "lower_in": 2.0, "upper_out": -1.3}
"""Coordinates from which Peaucellier's linkage closes the way it is drawn, with its rhombus open."""


def peaucellier_output(figure: Figure, q: list[float]) -> Vector:
    state = kinematics(figure, q, [0.0] * figure.nv)
    return state.point_position(figure.link("upper_out").index, Vector(3.0, 0.0, 0.0))


@pytest.mark.parametrize("degrees", [-60, -30, 0, 30, 60])
def test_peaucellier_draws_a_straight_line(degrees: int):
    figure, angle = peaucellier(), np.radians(degrees)
    q = assembled(figure, coordinates(figure, {**PEAUCELLIER, "crank": angle, "lower_out": 1.3}), locked=["crank"])
    assert q[figure.link("crank").q.start] == angle
    out, corner = peaucellier_output(figure, q), np.array([1.5 + 1.5 * np.cos(angle), 1.5 * np.sin(angle)])
    np.testing.assert_allclose([out.x, out.y], corner * 16.0 / (corner @ corner), atol=1e-9)
    assert abs(out.x - 16.0 / 3.0) < 1e-9


@pytest.mark.parametrize(
    ("run", "drift"), [(Run(2e-3), 1e-12), (Run(2e-3, LoopOptions(stabilisation=50.0), False), 1e-7)]
)
def test_peaucellier_stays_on_its_line_while_it_swings(run: Run, drift: float):
    """Ten seconds in its own plane without gravity, to and fro; it does not reach the limits of its geometry."""
    figure = peaucellier()
    q = assembled(figure, coordinates(figure, {**PEAUCELLIER, "crank": 0.2, "lower_out": 1.3}), locked=["crank"])
    q, v = started_by_impulse(figure, q, "crank", 0.1)
    before = energy(figure, q, v, 0.0)
    for place, speed in history(figure, q, v, [2.0, 5.0, 10.0], Run(run.h, run.options, run.project, gravity=0.0)):
        assert abs(peaucellier_output(figure, place.tolist()).x - 16.0 / 3.0) < 1e-6
        assert loop_errors(figure, place, speed)[0] < max(drift, 1e-12)
        assert energy(figure, place, speed, 0.0) == pytest.approx(before, rel=1e-8)


def test_bennett_moves_although_its_count_of_freedoms_is_0():
    """Three degrees of freedom less five constraints; but in any position only two of these are independent."""
    figure = bennett()
    q = assembled(figure, [1.0, 2.0, 2.0], locked=["side0"])
    assert np.tan(q[0] / 2) * np.tan(q[1] / 2) == pytest.approx(np.sin(0.85) / np.sin(0.25), rel=1e-9)  # (b +- a) / 2
    assert np.cos(q[0] + q[2]) == pytest.approx(1.0, abs=1e-9)
    state = kinematics(figure, q, [0.0] * 3)
    J = np.array([jacobian_row(state, row) for row in rows(state)])
    assert figure.nv - len(J) == -2
    assert np.linalg.matrix_rank(J, tol=1e-9) == 2
    q, v = started_by_impulse(figure, q, "side0", 3.0)
    before = energy(figure, q, v)
    for place, speed in history(figure, q, v, [1.0, 5.0, 10.0], Run(1e-3)):
        assert np.tan(place[0] / 2) * np.tan(place[1] / 2) == pytest.approx(np.sin(0.85) / np.sin(0.25), rel=1e-9)
        assert max(loop_errors(figure, place, speed)) < 1e-9
        assert energy(figure, place, speed) == pytest.approx(before, abs=1e-6 * (1.0 + abs(before)))


def test_dependent_rows_carry_nothing():
    """Hinges in a plane: of five rows each, the joints already satisfy the turns and the slide out of the plane."""
    figure = windows(2)
    q, v = windows_state(figure, 0.4, 1.0)
    found = closed_dynamics(kinematics(figure, q.tolist(), v.tolist()), [0.0] * figure.nv)
    strengths = np.reshape(found.multipliers, (2, 5))
    assert np.all(strengths[:, [0, 1, 4]] == 0.0)
    assert np.all(strengths[:, [2, 3]] != 0.0)


def operations(figure: Figure) -> int:
    def dynamics(q: list, v: list, tau: list) -> tuple:
        return (closed_dynamics(kinematics(figure, q, v), tau).a,)

    nests = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(ProgramSpec("dynamics", dynamics, nests)).operations


def test_the_cost_of_a_local_loop_does_not_depend_on_other_links():
    """A chain of cells of a lattice, each with a loop: the operations grow by the same number with every cell."""
    counts = [operations(ladder(cells)) for cells in (2, 4, 6, 8)]
    first, *others = np.diff(counts)
    assert max(others) <= 1.02 * first


def test_loops_that_cannot_close_are_refused_with_what_is_left():
    figure = peaucellier()
    with pytest.raises(
        FigureError, match=r'"peaucellier" cannot close .* the closure of "lower_in" to "crank" has an error'
    ):
        assembled(
            figure,
            coordinates(figure, {"crank": 0.0, "lower": 3.0, "lower_in": 0.0}),
            locked=["crank", "lower", "lower_in"],
        )


def test_assembly_turns_a_weld_the_right_way_up():
    """From half a turn off, where products of axes vanish as they do for a closed weld."""
    figure = windows(1)
    q = assembled(figure, [0.3, 0.3, np.pi - 0.2])
    assert loop_errors(figure, np.array(q), np.zeros(3))[0] < 1e-11
