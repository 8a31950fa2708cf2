"""Integration over spans: to a tolerance, to events at times known in closed form, and motions that must fail."""

from typing import Any

import numpy as np
import pytest
from motions import Array, G, pendulum, spring
from scipy.special import ellipk
from tracing import bits

from gambol.integrate import (
    INTEGRATORS,
    ConvergenceWarning,
    Integration,
    MotionState,
    StepControl,
    System,
    integrate_to,
)
from gambol.lanes import Program, ProgramSpec

DORMAND_PRINCE = INTEGRATORS["dormand-prince"]

# A ball dropped from a height keeps a part of its speed at every impact: times of the impacts [s].
BALLS = [
    (1.0, 0.8, [0.4515236409857309, 1.1739614665629003, 1.7519117270246358, 2.2142719353940246, 2.5841601020895353]),
    (1.0, 0.5, [0.4515236409857309, 0.9030472819714618, 1.1288091024643272, 1.24169001271076, 1.2981304678339762]),
    (4.9, 1.0, [0.9994901860489451, 2.9984705581468357, 4.997450930244726, 6.996431302342616, 8.995411674440506]),
]


def coordinate(t: Any, now: MotionState) -> Any:
    """The first coordinate, as an event."""
    return now.q[0]


def quarter_period(amplitude: Any) -> Any:
    """Return the time from rest to the vertical, by the complete elliptic integral."""
    return np.sqrt(1.0 / G) * ellipk(np.sin(0.5 * np.asarray(amplitude)) ** 2)


def to_the_vertical(name: str, amplitude: Any, allowed: float = 1e-9) -> Integration:
    control = StepControl(1e-2, (allowed, allowed), event_tolerance=1e-13)
    now = MotionState([amplitude], [0.0 * amplitude])
    return integrate_to(INTEGRATORS[name], pendulum(), now, (0.0, 5.0), control, coordinate)


@pytest.mark.parametrize(("height", "restitution", "impacts"), BALLS)
def test_a_ball_bounces_when_it_should(height: float, restitution: float, impacts: list[float]):
    fall = System(lambda t, q, v: ([-G], []))
    now, t = MotionState([height], [0.0]), 0.0
    for impact in impacts:
        arrived = integrate_to(
            DORMAND_PRINCE, fall, now, (t, 20.0), StepControl(0.01, event_tolerance=1e-13), coordinate
        )
        t, now = arrived.t, MotionState([0.0], [-restitution * arrived.state.v[0]])
        assert t == pytest.approx(impact, abs=1e-11)


@pytest.mark.parametrize(("name", "error"), [("rkf45", 1e-8), ("dormand-prince", 1e-8), ("rosenbrock", 1e-6)])
def test_a_pendulum_passes_the_vertical_on_time(name: str, error: float):
    arrived = to_the_vertical(name, 2.0)
    assert (arrived.t, arrived.status) == (pytest.approx(quarter_period(2.0), abs=error), 1.0)
    assert arrived.state.q[0] == pytest.approx(0.0, abs=1e-11)


def test_every_lane_has_its_own_event():
    amplitudes = np.linspace(0.3, 3.0, 19)

    def arrival(amplitude: Any) -> Any:
        return (to_the_vertical("dormand-prince", amplitude),)

    found = [Program(ProgramSpec("arrival", arrival, (0.0,)), "float64", n)(amplitudes[None])[0] for n in (1, 2, 8, 16)]
    for other in found[1:]:
        np.testing.assert_array_equal(bits(other), bits(found[0]))
    np.testing.assert_allclose(found[0][0], quarter_period(amplitudes), atol=1e-8)
    on_arrays = to_the_vertical("dormand-prince", amplitudes)
    np.testing.assert_allclose(on_arrays.t, found[0][0], atol=1e-12)
    assert len(set(np.asarray(on_arrays.accepted).tolist())) > 5


def test_an_event_is_no_nearer_than_its_precision():
    rough = integrate_to(
        INTEGRATORS["rk4"],
        pendulum(),
        MotionState([1.0], [0.0]),
        (0.0, 5.0),
        StepControl(0.05, event_tolerance=1e-3),
        coordinate,
    )
    late = rough.t - quarter_period(1.0)
    assert 0.0 <= late < 1e-3  # the end of the bracket where it has happened


def test_a_function_that_begins_at_zero_has_to_leave_it_first():
    thrown = System(lambda t, q, v: ([-G], []))
    back = integrate_to(DORMAND_PRINCE, thrown, MotionState([0.0], [1.0]), (0.0, 9.0), StepControl(0.01), coordinate)
    assert back.t == pytest.approx(2.0 / G, abs=1e-8)


@pytest.mark.parametrize("name", [name for name, row in INTEGRATORS.items() if row.adaptive])
def test_the_error_follows_what_is_allowed(name: str):
    """Each step may have the allowed error, and an oscillation keeps errors: the sum grows at most with the steps."""
    for allowed in (1e-5, 1e-7):
        control = StepControl(0.1, (allowed, allowed))
        end: Integration = integrate_to(
            INTEGRATORS[name], spring(), MotionState([1.0], [0.0], [0.0]), (0.0, 5.0), control
        )
        error = np.hypot(end.state.q[0] - np.cos(5.0), end.state.v[0] + np.sin(5.0))
        assert error < 2.0 * end.accepted * allowed


def test_fixed_steps_fit_the_span():
    end = integrate_to(INTEGRATORS["rk4"], spring(), MotionState([1.0], [0.0], [0.0]), (0.0, 1.0), StepControl(0.3))
    assert (end.t, end.accepted, end.rejected, end.status) == (1.0, 4.0, 0.0, 1.0)


def test_a_span_without_length_is_over():
    end = integrate_to(INTEGRATORS["rk4"], spring(), MotionState([1.0], [0.0], [0.0]), (2.0, 2.0), StepControl(0.3))
    assert (end.t, end.accepted, end.status) == (2.0, 0.0, 1.0)


def test_an_integration_ends_where_its_steps_become_too_small():
    """x' = v, v' = v^2 reaches infinity at t = 1."""
    wild = System(lambda t, q, v: ([v[0] * v[0]], []))
    end = integrate_to(
        DORMAND_PRINCE, wild, MotionState([0.0], [1.0]), (0.0, 2.0), StepControl(0.1, (1e-8, 1e-8), min_step=1e-9)
    )
    assert end.status == 2.0
    assert end.t == pytest.approx(1.0, abs=1e-6)
    assert np.isfinite([*end.state.q, *end.state.v]).all()


@pytest.mark.parametrize("name", ["implicit euler", "implicit midpoint"])
def test_implicit_steps_without_solution_cause_a_warning(name: str):
    """v' = 1 + v^2: the equation of a step, v - v0 - h (1 + v^2) = 0 or the like, has no root where h is above 1/2."""
    running_away = System(lambda t, q, v: ([1.0 + v[0] * v[0]], []))

    def end(step: float) -> Integration:
        return integrate_to(INTEGRATORS[name], running_away, MotionState([0.0], [0.0]), (0.0, step), StepControl(step))

    assert end(0.1).residual == 0.0
    with pytest.warns(ConvergenceWarning, match=f'steps of "{name}" did not converge in 1 of 1 worlds') as caught:
        residual = end(1.5).residual
    assert 0.1 < residual < 10.0
    assert f"{residual:.3g} rad/s" in str(caught[0].message)


def test_each_world_has_its_own_residual():
    running_away = System(lambda t, q, v: ([1.0 + v[0] * v[0]], []))

    def end(v: Any) -> Any:
        result = integrate_to(
            INTEGRATORS["implicit euler"], running_away, MotionState([0.0], [v]), (0.0, 0.2), StepControl(0.2)
        )
        return (result.residual,)

    starts = np.array([[-3.0, 0.0, 3.0, 1.0]])
    for precision in ("float64", "float32"):
        (residual,) = Program(ProgramSpec("end", end, (0.0,)), precision)(starts.astype(precision))
        np.testing.assert_array_equal(residual[0] > 0.0, [False, False, True, False])


def test_the_integrators_state_is_carried_along_and_reset_at_an_event():
    start, control = MotionState([1.0], [0.0]), StepControl(0.01)

    def run(at: Array) -> Integration:
        return integrate_to(INTEGRATORS["leapfrog"], pendulum(), start, (0.0, 5.0), control, lambda t, n: at)

    assert run(np.float64(1.0)).state.integrator_state[-1] == pytest.approx(0.01)
    arrived = integrate_to(INTEGRATORS["leapfrog"], pendulum(), start, (0.0, 5.0), control, coordinate)
    assert arrived.state.integrator_state == [0.0, 0.0]
