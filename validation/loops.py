"""Problems of closed loops: benchmark linkages, a straight-line linkage, and overconstrained linkages."""

from functools import partial

import numpy as np

from gambol.dynamics import kinematics
from gambol.dynamics.loops import assembled, jacobian_row, rows
from gambol.figure import Figure
from gambol.spatial import Vector
from gambol.world import Timing
from validation.linkages import (
    ANDREWS_START,
    andrews,
    andrews_forces,
    bennett,
    governor,
    peaucellier,
    slider_crank,
    windows,
    windows_state,
)
from validation.movement import Run, coordinates, energy, history, started_by_impulse
from validation.problem import Array, Problem, Row, motion, rows_of
from validation.reduced import Governor, SliderCrank, reduced
from validation.reference_data import reference_data

BODIES = ("crank", "bar", "plate", "short", "left", "long", "right")
"""Andrews' bodies in the order beta, Theta, gamma, Phi, delta, Omega, epsilon."""

PEAUCELLIER = {"upper": 0.6, "lower": -0.6, "upper_in": -2.0, "lower_in": 2.0, "upper_out": -1.3, "lower_out": 1.3}
"""Initial angles from which Peaucellier's linkage is assembled with its rhombus open."""


def two_windows() -> list[Row]:
    data = np.array(reference_data("iftomm_A02_four_bar_N2")["samples"])
    figure = windows(2)
    timing = Timing(control_step=0.01, step=1e-3, method="dormand-prince", tolerance=1e-9)
    q, v = motion(figure, *windows_state(figure, 0.0, 1.0), data[:, 0].tolist(), timing=timing)
    ours = np.stack([np.sin(q[:, 0]), np.cos(q[:, 0]), v[:, 0]], axis=1)
    names = [f"{n} at {t:g} s" for t in data[:, 0] for n in ("x of B0 [m]", "y of B0 [m]", "speed [rad/s]")]
    return rows_of(names, ours, data[:, [1, 2, 4]], 1e-3)


def squeezer() -> list[Row]:
    figure, data = andrews(), np.array(reference_data("andrews_squeezer")["state_at_0.03_s"])
    start = np.array(coordinates(figure, ANDREWS_START))
    run = Run(1e-5, drive=andrews_forces, gravity=0.0)
    ((q, v),) = history(figure, start, np.zeros(figure.nv), [0.03], run)
    places = [figure.link(name).v.start for name in BODIES]
    names = [f"{what} of {name}" for what in ("angle [rad]", "speed [rad/s]") for name in BODIES]
    ours = np.concatenate([q[places], v[places]])
    return [Row(name, float(a), float(b), 1e-5 * abs(float(b))) for name, a, b in zip(names, ours, data, strict=True)]


def output(figure: Figure, q: Array) -> Vector:
    """Return the point of Peaucellier's linkage that moves on a line."""
    state = kinematics(figure, q.tolist(), [0.0] * figure.nv)
    return state.point_position(figure.link("upper_out").index, Vector(3.0, 0.0, 0.0))


def straight_line() -> list[Row]:
    data, figure, assembled_rows = reference_data("peaucellier"), peaucellier(), list[Row]()
    for degrees, expected in zip(data["crank_deg"], data["Q"], strict=True):
        angles = coordinates(figure, {**PEAUCELLIER, "crank": float(np.radians(degrees))})
        out = output(figure, np.array(assembled(figure, angles, locked=["crank"])))
        assembled_rows += rows_of(
            [f"{axis} at {degrees} degrees" for axis in "xy"], np.array([*out][:2]), expected, 1e-9
        )
    q = assembled(figure, coordinates(figure, {**PEAUCELLIER, "crank": 0.2}), locked=["crank"])
    q, v = started_by_impulse(figure, q, "crank", 0.1)
    timing = Timing(control_step=0.01, step=2e-3, method="rk4")
    places, _ = motion(figure, q, v, [2.0, 5.0, 10.0], gravity=0.0, timing=timing)
    lines = np.array([output(figure, place).x for place in places])
    times = [f"x after {t} s of motion" for t in (2, 5, 10)]
    return [*assembled_rows, *rows_of(times, lines, np.full(3, data["line_x"]), 1e-6)]


def crank_and_slider(axis: tuple[float, float, float], arm: tuple[float, float, float]) -> list[Row]:
    figure, by_hand = slider_crank(axis, arm), SliderCrank(axis, arm)
    q = assembled(figure, coordinates(figure, {"crank": 0.3, "slider": 0.6}), locked=["crank"])
    q, v = started_by_impulse(figure, q, "crank", 9.0)
    times = [0.5, 1.0, 2.0]
    expected = reduced(by_hand.inertia, by_hand.height_energy, [0.3, 9.0], np.array(times))
    places, speeds = motion(figure, q, v, times)
    i, j = figure.link("crank").v.start, figure.link("slider").v.start
    slider = [by_hand.reach(x)[2].real for x in expected[0]]
    ours = np.stack([places[:, i], speeds[:, i], places[:, j]], axis=1)
    names = [f"{what} at {t:g} s" for t in times for what in ("crank [rad]", "its speed [rad/s]", "slider [m]")]
    return rows_of(names, ours, np.stack([*expected, slider], axis=1), 1e-6)


def flyballs() -> list[Row]:
    figure, by_hand = governor(), Governor(0.6, 8.0)
    lean = float(np.arcsin(by_hand.arm / 2 * np.sin(0.6) / by_hand.stay))
    collar = by_hand.collar(0.6).real
    angles = {"collar": collar, "east_arm": 0.6, "west_arm": 0.6, "east_stay": -lean, "west_stay": -lean}
    q, v = np.array(coordinates(figure, angles)), np.zeros(figure.nv)
    v[figure.link("spindle").v.start] = 8.0
    times = [0.5, 1.0, 2.0]
    expected = reduced(by_hand.inertia, by_hand.spin_energy, [0.6, 0.0], np.array(times))
    spin = [by_hand.spin / by_hand.about_axis(x).real for x in expected[0]]
    places, speeds = motion(figure, q, v, times)
    east, spindle = (figure.link(name).v.start for name in ("east_arm", "spindle"))
    ours = np.stack([places[:, east], speeds[:, east], speeds[:, spindle]], axis=1)
    names = [f"{what} at {t:g} s" for t in times for what in ("arm [rad]", "its speed [rad/s]", "spin [rad/s]")]
    return rows_of(names, ours, np.stack([*expected, spin], axis=1), 1e-6)


def overconstrained() -> list[Row]:
    """Bennett's closed form: tan(theta / 2) tan(phi / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2)."""
    figure, ratio = bennett(), float(np.sin(0.85) / np.sin(0.25))
    q = assembled(figure, [1.0, 2.0, 2.0], locked=["side0"])
    state = kinematics(figure, q, [0.0] * figure.nv)
    J = np.array([jacobian_row(state, row) for row in rows(state)])
    q, v = started_by_impulse(figure, q, "side0", 3.0)
    times = [1.0, 5.0, 10.0]
    places, speeds = motion(figure, q, v, times, timing=Timing(control_step=0.01, step=1e-3, method="rk4"))
    tangents = np.tan(places[:, 0] / 2) * np.tan(places[:, 1] / 2)
    before = energy(figure, q, v)
    after = [energy(figure, place, speed) for place, speed in zip(places, speeds, strict=True)]
    return [
        Row("independent rows of its five", float(np.linalg.matrix_rank(J, tol=1e-9)), 2.0, 0.5),
        *rows_of([f"product of tangents at {t:g} s" for t in times], tangents, np.full(3, ratio), 1e-9 * ratio),
        *rows_of([f"energy at {t:g} s [J]" for t in times], np.array(after), np.full(3, before), 1e-5),
    ]


ACROSS, ALONG = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
REDUCED = "the reduced equation of one degree of freedom, solved by scipy's DOP853 to 1e-12"

PROBLEMS = (
    Problem(
        "Two windows (IFToMM A02)",
        "Five rods with two loops. Constraint rows are dependent, and positions are singular twice per turn. "
        "Dormand-Prince, tolerance 1e-9.",
        "IFToMM benchmark A02, reduced to one degree of freedom",
        two_windows,
        method="dormand-prince",
    ),
    Problem(
        "Andrews' squeezer",
        "Seven bodies with three loops, a spring and a motor. RK4 with steps of 10 us, and projection of the loops.",
        "IVP test set, state at 0.03 s",
        squeezer,
        method="rk4",
    ),
    Problem(
        "Peaucellier's linkage",
        "The linkage is assembled at five angles, then moves for 10 s. RK4 with steps of 2 ms.",
        "inversion in a circle; the output stays on the line x = 16/3",
        straight_line,
        method="rk4",
    ),
    Problem(
        "Planar slider-crank",
        "The rod has a universal joint and a ball joint. RKF45, tolerance 1e-12.",
        REDUCED,
        partial(crank_and_slider, ALONG, (0.2, 0.0, 0.0)),
        method="rkf45",
    ),
    Problem(
        "Spatial slider-crank",
        "The same, but the slider moves across the plane of the crank. RKF45, tolerance 1e-12.",
        REDUCED,
        partial(crank_and_slider, ACROSS, (0.0, 0.2, 0.0)),
        method="rkf45",
    ),
    Problem(
        "Flyball governor",
        "Two loops on a spindle that rotates freely. RKF45, tolerance 1e-12.",
        REDUCED,
        flyballs,
        method="rkf45",
    ),
    Problem(
        "Bennett's linkage",
        "Four hinges, no two of them parallel. By count it has -2 degrees of freedom, and yet it moves. RK4 with steps "
        "of 1 ms.",
        "Bennett's closed form, and conservation of energy",
        overconstrained,
        method="rk4",
    ),
)
