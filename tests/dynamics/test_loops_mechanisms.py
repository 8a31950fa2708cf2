"""Linkages with known motion: benchmarks, a straight line, reduced equations, and a loop that should not move."""

from collections.abc import Callable

import numpy as np
import pytest
from mechanisms import (
    ANDREWS_START,
    Run,
    andrews,
    andrews_forces,
    bennett,
    governor,
    history,
    ladder,
    moved,
    openness,
    peaucellier,
    slider_crank,
    windows,
    windows_state,
)
from scipy.integrate import solve_ivp

from gambol.dynamics import kinematics, kinetic_energy, potential_energy
from gambol.dynamics.loops import (
    Aim,
    Closing,
    assembled,
    closed_dynamics,
    jacobian_row,
    joint_row,
    reach_speeds,
    rows,
)
from gambol.errors import FigureError
from gambol.figure import Figure
from gambol.lanes import Program, Recipe
from gambol.spatial import Vector

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

SQUEEZED = {
    "crank": (15.81077119629904, 1139.920302151208),
    "bar": (-15.75637105984298, -1424.379294994111),
    "plate": (0.04082224013073101, 11.03291221937134),
    "short": (-0.5347301163226948, 19.29337464421385),
    "left": (0.5244099658805303, 0.5735699284790808),
    "long": (0.5347301163226948, -19.29337464421385),
    "right": (1.048080741042263, 0.3231791658026955),
}
"""Angles and speeds of Andrews' mechanism at 0.03 s. [IVP test set, 2008]"""


def at(figure: Figure, values: dict[str, float]) -> list[float]:
    q = [0.0] * figure.nq
    for name, value in values.items():
        q[figure.link(name).q.start] = value
    return q


def driven(figure: Figure, q: list[float], name: str, speed: float) -> tuple[Array, Array]:
    """A closed figure set in motion by an impulse at one joint."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    found = reach_speeds(state, [Aim(joint_row(state, figure.link(name).v.start), speed)])
    return np.array(q), np.array(found.motion)


def energy(figure: Figure, q: Array, v: Array, gravity: float = 9.81) -> float:
    state = kinematics(figure, q.tolist(), v.tolist())
    return kinetic_energy(state) + potential_energy(state, gravity)


def slope(f: Callable[[complex], complex], x: float) -> float:
    """A derivative by a complex step: exact to rounding."""
    return f(x + 1e-30j).imag / 1e-30


def reduced(
    inertia: Callable[..., complex], height_energy: Callable[..., complex], start: list[float], t: Array
) -> Array:
    """x and x' of M(x) x'' + M' x'^2 / 2 + V' = 0 at times, to 1e-12."""

    def rate(_: float, y: Array) -> list[float]:
        x, speed = y
        return [speed, -(slope(inertia, x) * speed**2 / 2 + slope(height_energy, x)) / inertia(x).real]

    return solve_ivp(rate, (0.0, t[-1]), start, "DOP853", t, rtol=1e-12, atol=1e-12).y


@pytest.mark.parametrize(
    ("run", "accuracy"),
    [
        (Run(1e-3), 1e-6),
        (Run(1e-3, Closing("crba")), 1e-6),
        (Run(1e-3, Closing(stabilisation=100.0), project=False), 1e-6),
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
        assert max(openness(figure, q, v)) < 1e-6


@pytest.mark.parametrize("h", [2.3e-3, 7e-4])
def test_no_step_lands_badly_on_a_singular_position(h: float):
    """Steps of lengths that fall into it now and then: a step that does costs its own accuracy, some 1e-5 J."""
    figure = windows(2)
    q, v = windows_state(figure, 0.0, 1.0)
    before = energy(figure, q, v)
    ((q, v),) = history(figure, q, v, [20.0], Run(h))
    assert energy(figure, q, v) == pytest.approx(before, abs=1e-4)
    assert max(openness(figure, q, v)) < 1e-12


def test_the_singular_position_itself_does_no_harm():
    figure = windows(2)
    for off in (0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5):
        q, v = windows_state(figure, np.pi / 2 + off, 3.0)
        for method in ("propagation", "aba", "crba"):
            found = closed_dynamics(kinematics(figure, q.tolist(), v.tolist()), [0.0] * figure.nv, Closing(method))
            assert np.abs(found.rates).max() < 40.0


def test_windows_in_single_precision():
    """One window, whose motion is that of two with other masses: against double precision, to a part in 1e4."""
    figure = windows(1)
    program = moved(figure, Run(1e-3))
    single = Program(program.recipe, "float32")
    q, v = (x.reshape(-1, 1) for x in windows_state(figure, 0.0, 1.0))
    steps = np.array([[3000.0]])
    fine, rough = program(q, v, steps), single(q.astype("f4"), v.astype("f4"), steps.astype("f4"))
    np.testing.assert_allclose(rough[0], fine[0], atol=5e-3)
    assert max(openness(figure, *(x[:, 0].astype(float) for x in rough))) < 1e-4


def test_andrews_squeezer():
    figure = andrews()
    start = np.array(at(figure, ANDREWS_START))
    assert openness(figure, start, np.zeros(figure.nv))[0] < 1e-16
    ((q, v),) = history(figure, start, np.zeros(figure.nv), [0.03], Run(1e-5, drive=andrews_forces, gravity=0.0))
    for name, (angle, speed) in SQUEEZED.items():
        link = figure.link(name)
        assert q[link.q][0] == pytest.approx(angle, rel=1e-6)
        assert v[link.v][0] == pytest.approx(speed, rel=1e-6)
    assert openness(figure, q, v)[0] < 1e-15


PEAUCELLIER = {"crank": 0.0, "upper": 0.6, "lower": -0.6, "upper_in": -2.0, "lower_in": 2.0, "upper_out": -1.3}
"""Coordinates from which Peaucellier's linkage closes the way it is drawn, with its rhombus open."""


def peaucellier_output(figure: Figure, q: list[float]) -> Vector:
    state = kinematics(figure, q, [0.0] * figure.nv)
    return state.point_position(figure.link("upper_out").index, Vector(3.0, 0.0, 0.0))


@pytest.mark.parametrize("degrees", [-60, -30, 0, 30, 60])
def test_peaucellier_draws_a_straight_line(degrees: int):
    figure, angle = peaucellier(), np.radians(degrees)
    q = assembled(figure, at(figure, {**PEAUCELLIER, "crank": angle, "lower_out": 1.3}), held=["crank"])
    assert q[figure.link("crank").q.start] == angle
    out, corner = peaucellier_output(figure, q), np.array([1.5 + 1.5 * np.cos(angle), 1.5 * np.sin(angle)])
    np.testing.assert_allclose([out.x, out.y], corner * 16.0 / (corner @ corner), atol=1e-9)
    assert abs(out.x - 16.0 / 3.0) < 1e-9


@pytest.mark.parametrize(("run", "drift"), [(Run(2e-3), 1e-12), (Run(2e-3, Closing(stabilisation=50.0), False), 1e-7)])
def test_peaucellier_stays_on_its_line_while_it_swings(run: Run, drift: float):
    """Ten seconds in its own plane without gravity, to and fro between stops of its geometry is not reached."""
    figure = peaucellier()
    q = assembled(figure, at(figure, {**PEAUCELLIER, "crank": 0.2, "lower_out": 1.3}), held=["crank"])
    q, v = driven(figure, q, "crank", 0.1)
    before = energy(figure, q, v, 0.0)
    for place, speed in history(figure, q, v, [2.0, 5.0, 10.0], Run(run.h, run.how, run.project, gravity=0.0)):
        assert abs(peaucellier_output(figure, place.tolist()).x - 16.0 / 3.0) < 1e-6
        assert openness(figure, place, speed)[0] < max(drift, 1e-12)
        assert energy(figure, place, speed, 0.0) == pytest.approx(before, rel=1e-8)


@pytest.mark.parametrize(("axis", "arm"), [((0.0, 1.0, 0.0), (0.2, 0.0, 0.0)), ((1.0, 0.0, 0.0), (0.0, 0.2, 0.0))])
def test_slider_crank_moves_like_its_reduced_equation(axis: tuple, arm: tuple):
    """In a plane, and in space with the slider moving across the plane of the crank."""
    length, height, start = 0.5, 0.1, np.array(arm)
    figure, onward = slider_crank(axis, arm, length, height), np.cross(axis, arm)

    def reach(x: complex) -> tuple[Array, Array, complex, complex]:
        """The crank's end, the slider, and their derivatives."""
        end, moves = start * np.cos(x) + onward * np.sin(x), onward * np.cos(x) - start * np.sin(x)
        root = np.sqrt(length**2 - end[1] ** 2 - (end[2] - height) ** 2)
        return end, moves, end[0] + root, moves[0] - (end[1] * moves[1] + (end[2] - height) * moves[2]) / root

    def inertia(x: complex) -> complex:
        _, a, _, slides = reach(x)
        b = np.array([slides, 0.0, 0.0])
        return 0.5 * 0.2**2 / 3 + slides**2 + 0.8 / 3 * (a @ a + a @ b + b @ b)

    def height_energy(x: complex) -> complex:
        z = reach(x)[0][2]
        return 9.81 * (0.5 * z / 2 + 0.8 * (z + height) / 2)

    q = assembled(figure, at(figure, {"crank": 0.3, "slider": 0.6}), held=["crank"])
    q, v = driven(figure, q, "crank", 9.0)
    times = np.array([0.5, 1.0, 2.0])
    expected = reduced(inertia, height_energy, [0.3, 9.0], times)
    i, j = figure.link("crank").q.start, figure.link("slider").q.start
    for n, (place, speed) in enumerate(history(figure, q, v, times.tolist(), Run(5e-4))):
        np.testing.assert_allclose([place[i], speed[i]], expected[:, n], rtol=1e-8)
        assert place[j] == pytest.approx(reach(expected[0, n])[2].real, rel=1e-8)


def test_flyball_governor_moves_like_its_reduced_equation():
    """Spin is cyclic: with its momentum, the arms' angle has an equation of its own."""
    arm, stay = 0.4, 0.25
    figure = governor(arm, stay)

    def collar(x: complex) -> complex:
        return -arm / 2 * np.cos(x) - np.sqrt(stay**2 - (arm / 2 * np.sin(x)) ** 2)

    def about_axis(x: complex) -> complex:
        ball, middle = arm * np.sin(x), arm / 2 * np.sin(x)
        return 0.02 + 1e-3 + 2 * (0.3 * ball**2 / 3 + ball**2 + 0.2 * middle**2 / 3)

    def inertia(x: complex) -> complex:
        root = np.sqrt(stay**2 - (arm / 2 * np.sin(x)) ** 2)
        drop = arm / 2 * np.sin(x) + (arm / 2) ** 2 * np.sin(x) * np.cos(x) / root
        low, middle = np.array([0.0, drop]), arm / 2 * np.array([np.cos(x), np.sin(x)])
        stays = 0.2 / 3 * (low @ low + low @ middle + middle @ middle)
        return 2 * (0.3 * arm**2 / 3 + arm**2 + stays) + 0.5 * drop**2

    def held(x: complex) -> complex:
        heights = -0.3 * arm / 2 * np.cos(x) - arm * np.cos(x) + 0.2 * (collar(x) - arm / 2 * np.cos(x)) / 2
        return 9.81 * (2 * heights + 0.5 * collar(x)) + spin**2 / (2 * about_axis(x))

    lean = float(np.arcsin(arm / 2 * np.sin(0.6) / stay))
    angles = {"collar": collar(0.6).real, "east_arm": 0.6, "west_arm": 0.6, "east_stay": -lean, "west_stay": -lean}
    q = np.array(at(figure, angles))
    v = np.zeros(figure.nv)
    v[figure.link("spindle").v.start] = 8.0
    spin = 8.0 * about_axis(0.6).real
    times = np.array([0.5, 1.0, 2.0])
    expected = reduced(inertia, held, [0.6, 0.0], times)
    east, west, spindle = (figure.link(name).v.start for name in ("east_arm", "west_arm", "spindle"))
    for n, (place, speed) in enumerate(history(figure, q, v, times.tolist(), Run(5e-4))):
        np.testing.assert_allclose([place[east], speed[east]], expected[:, n], rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose([place[west], speed[west]], expected[:, n], rtol=1e-7, atol=1e-8)
        assert speed[spindle] == pytest.approx(spin / about_axis(place[east]).real, rel=1e-9)


def test_bennett_moves_though_its_count_of_freedoms_says_no():
    """Three freedoms less five held directions; but in any position only two of these are independent."""
    figure = bennett()
    q = assembled(figure, [1.0, 2.0, 2.0], held=["side0"])
    assert np.tan(q[0] / 2) * np.tan(q[1] / 2) == pytest.approx(np.sin(0.85) / np.sin(0.25), rel=1e-9)  # (b +- a) / 2
    assert np.cos(q[0] + q[2]) == pytest.approx(1.0, abs=1e-9)
    state = kinematics(figure, q, [0.0] * 3)
    J = np.array([jacobian_row(state, row) for row in rows(state)])
    assert figure.nv - len(J) == -2
    assert np.linalg.matrix_rank(J, tol=1e-9) == 2
    q, v = driven(figure, q, "side0", 3.0)
    before = energy(figure, q, v)
    for place, speed in history(figure, q, v, [1.0, 5.0, 10.0], Run(1e-3)):
        assert np.tan(place[0] / 2) * np.tan(place[1] / 2) == pytest.approx(np.sin(0.85) / np.sin(0.25), rel=1e-9)
        assert max(openness(figure, place, speed)) < 1e-9
        assert energy(figure, place, speed) == pytest.approx(before, abs=1e-6 * (1.0 + abs(before)))


def test_dependent_rows_carry_nothing():
    """Hinges in a plane: of five rows each, the turns and the slide out of the plane are the joints' already."""
    figure = windows(2)
    q, v = windows_state(figure, 0.4, 1.0)
    found = closed_dynamics(kinematics(figure, q.tolist(), v.tolist()), [0.0] * figure.nv)
    strengths = np.reshape(found.multipliers, (2, 5))
    assert np.all(strengths[:, [0, 1, 4]] == 0.0)
    assert np.all(strengths[:, [2, 3]] != 0.0)


def operations(figure: Figure) -> int:
    def dynamics(q: list, v: list, tau: list) -> tuple:
        return (closed_dynamics(kinematics(figure, q, v), tau).rates,)

    nests = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(Recipe("dynamics", dynamics, nests)).operations


def test_a_local_loop_costs_what_it_costs_whatever_else_there_is():
    """Cells of a lattice on one another, a loop in each: operations grow by the same amount with every cell."""
    counts = [operations(ladder(cells)) for cells in (2, 4, 6, 8)]
    first, *others = np.diff(counts)
    assert max(others) <= 1.02 * first


def test_loops_that_cannot_close_are_refused_with_what_is_left():
    figure = peaucellier()
    with pytest.raises(
        FigureError, match=r'"peaucellier" cannot close .* the closure of "lower_in" to "crank" is still'
    ):
        assembled(
            figure, at(figure, {"crank": 0.0, "lower": 3.0, "lower_in": 0.0}), held=["crank", "lower", "lower_in"]
        )


def test_assembly_turns_a_weld_the_right_way_up():
    """From half a turn off, where products of axes vanish as they do at rest."""
    figure = windows(1)
    q = assembled(figure, [0.3, 0.3, np.pi - 0.2])
    assert openness(figure, np.array(q), np.zeros(3))[0] < 1e-11
