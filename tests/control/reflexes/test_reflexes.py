"""Reflexes: alone against their definitions, and in worlds against delay equations and a steady state."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from gambol.actuation import TorqueMotor, VelocityServo
from gambol.actuation.muscle import Muscle, Pulley, PulleyPath
from gambol.collide import NoGround
from gambol.control import FeedbackController, Senses
from gambol.control.reflexes import (
    REFLEXES,
    ClaspKnife,
    DelayedFeedback,
    Reflex,
    Signal,
    StretchReflex,
    TendonOrgan,
    Withdrawal,
    add_reflex,
    with_reflexes,
)
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.lanes import Scalar
from gambol.world import Film, InitialState, Timing, World, run, start

INERTIA = 0.01  # kg m2
ANGLE, FORCE = Signal("angles", "arm"), Signal("actuator_outputs", "arm", "force")


@dataclass(frozen=True)
class Constant:
    """A law of one constant command."""

    value: float = 0.0
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        return {"value": self.value}

    def memory(self) -> Any:
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        return [numbers["value"]], memory

    def structure(self) -> tuple[Any, ...]:
        return ()


def arm(inertia: float = INERTIA) -> Figure:
    mass = MassProperties(1.0, (0.0, 0.0, 0.0), tuple(tuple(inertia * (i == j) for j in range(3)) for i in range(3)))
    return Figure("arm", (Link("arm", None, Joint("revolute"), (), mass),))


def film_of(
    actuator: Any, reflexes: Mapping[str, Reflex], seconds: float, dt: float, inertia: float = INERTIA, **options: Any
) -> Film:
    """The film of one joint with reflexes, from an angle and a speed, with a frame for each control step."""
    law, q, v = options.get("law", Constant()), options.get("q", 0.0), options.get("v", 0.0)
    controller = with_reflexes(FeedbackController(law, {"arm": actuator}), reflexes, dt)
    world = World(
        arm(inertia),
        ground=NoGround(),
        gravity=0.0,
        controller=controller,
        timing=Timing(dt, dt, "rk4"),
        contact="penalty",
        initial=InitialState((q,), (v,)),
    )
    return run(world, start(world), seconds, rate=1.0 / dt)


def angles(film: Film) -> Any:
    w, _, _, z = film.quaternion[:, 0, 0].T
    return 2.0 * np.arctan2(z, w)


def method_of_steps(
    rate: Callable[[Any, Any], Any], y0: Sequence[float], delay: float, seconds: float
) -> Callable[[float], Any]:
    """Return the solution y(t) of y' = rate(y, y(t - delay)) from rest, one delay after the other."""
    pieces: list[Any] = []

    def past(t: float) -> Any:
        return np.array([y0[0], 0.0]) if t <= 0.0 else pieces[min(int(t / delay + 1e-12), len(pieces) - 1)](t)

    y = np.array(y0)
    for k in range(math.ceil(seconds / delay)):
        solved = solve_ivp(
            lambda t, y: rate(y, past(t - delay)),
            (k * delay, (k + 1) * delay), y, rtol=1e-10, atol=1e-12, dense_output=True, max_step=delay / 20,
        )  # fmt: skip
        pieces.append(solved.sol)
        y = solved.y[:, -1]
    return past


def test_a_stretch_reflex_moves_a_joint_as_the_delay_equation_predicts():
    """I q'' = -k [q(t - d) - q0]+ - b [q'(t - d)]+. A held sample is half a control step old on average.

    So the error falls in proportion to the control step: halving it twice halves it each time, to a fifth.
    """
    k, b, reference, delay, seconds = 2.0, 0.05, 0.1, 0.03, 0.3

    def rate(y: Any, late: Any) -> Any:
        torque = -k * max(late[0] - reference, 0.0) - b * max(late[1], 0.0)
        return [y[1], torque / INERTIA]

    exact = method_of_steps(rate, (0.0, 3.0), delay, seconds)
    errors = []
    for dt in (0.001, 0.0005, 0.00025):
        reflex = StretchReflex(ANGLE, "arm", -k, reference, -b, delay)
        film = film_of(TorqueMotor(-100.0, 100.0), {"stretch": reflex}, seconds, dt, v=3.0)
        late = np.array([exact(t)[0] for t in film.time])
        errors.append(np.abs(angles(film) - late)[film.time <= 0.25].max())
    assert errors[2] < 0.05 * np.abs(angles(film)).max()
    for coarse, fine in pairwise(errors):
        assert coarse / fine == pytest.approx(2.0, rel=0.2)


@pytest.mark.parametrize(("factor", "grows"), [(0.97, False), (1.03, True)])
def test_delayed_feedback_of_a_joint_is_stable_up_to_half_pi(factor: float, grows: bool):
    """q' = -k q(t - d), by a stiff velocity servo, loses stability at k d = pi / 2.

    The hold adds half a control step to the delay, and the servo is a lag T = I / gain: the boundary is where
    w d + atan(w T) = pi / 2 and k = w sqrt(1 + w^2 T^2).
    """
    dt, delay, inertia, gain = 0.001, 0.05, 0.01, 5.0
    lag = inertia / gain
    w = brentq(lambda w: w * (delay + 0.5 * dt) + math.atan(w * lag) - 0.5 * math.pi, 1.0, 100.0)
    k = factor * w * math.hypot(1.0, w * lag)
    reflex = DelayedFeedback(ANGLE, "arm", -k, delay=delay)
    film = film_of(VelocityServo(-1e3, 1e3, gain=gain), {"late": reflex}, 6.0, dt, inertia, q=0.01)
    late = np.abs(angles(film)).reshape(-1)[1:].reshape(3, -1).max(axis=1)
    assert (late[2] > late[1]) == grows


def test_a_tendon_organ_sets_the_stiffness_of_a_muscle_to_a_known_force():
    """An isometric muscle at optimal length with F = F0 a, and a = u - k [F - x0]+, has F = F0 (u + k x0) / (1 + k F0).

    The joint is so heavy that it turns by less than a millionth of a radian.
    """
    F0, u, k, threshold = 100.0, 0.8, 0.008, 20.0
    path = PulleyPath((Pulley(0.01, 0.0),))
    muscle = Muscle(("arm",), path, F0, 0.1, 0.2, rigid_tendon=True, initial_activation=0.5)
    reflex = TendonOrgan(FORCE, "arm", k, threshold, delay=0.02)
    film = film_of(muscle, {"organ": reflex}, 0.6, 0.001, 1e6, law=Constant(u))
    force = film.signals["actuator arm force"][-1, 0]
    assert force == pytest.approx(F0 * (u + k * threshold) / (1.0 + k * F0), rel=1e-3)
    free = film_of(muscle, {"organ": replace(reflex, threshold=1e6)}, 0.6, 0.001, 1e6, law=Constant(u))
    assert free.signals["actuator arm force"][-1, 0] == pytest.approx(F0 * u, rel=1e-3)


def responses(reflex: Reflex, signal: Sequence[float], dt: float = 0.01) -> list[float]:
    memory, numbers, values = reflex.memory(), reflex.numbers(), []
    for x in signal:
        value, memory = reflex.response(numbers, memory, x, dt)
        values.append(value)
    return values


def test_a_clasp_knife_releases_and_holds_again_at_different_forces():
    reflex = ClaspKnife(FORCE, "arm", 0.7, on=10.0, off=4.0)
    assert responses(reflex, [5.0, 9.9, 10.1, 8.0, 4.1, 3.9, 9.9]) == [0.0, 0.0, -0.7, -0.7, -0.7, 0.0, 0.0]


def test_a_withdrawal_lasts_longer_than_its_stimulus():
    reflex = Withdrawal(ANGLE, "arm", 2.0, threshold=1.0, decay=0.1)
    values = responses(reflex, [0.0, 1.5, 1.5, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(values, [0.0, 2.0, 2.0, *(2.0 * math.exp(-0.1 * k) for k in (1, 2, 3))], atol=1e-12)


def test_a_stretch_reflex_resists_lengthening_only():
    reflex = StretchReflex(ANGLE, "arm", 2.0, 0.5, 0.1)
    values = responses(reflex, [0.4, 0.6, 0.7, 0.6, 0.4])
    np.testing.assert_allclose(values, [0.0, 0.2 + 2.0, 0.4 + 1.0, 0.2, 0.0], atol=1e-12)


def test_commands_stay_within_the_bounds_of_the_actuator():
    reflex = DelayedFeedback(ANGLE, "arm", 100.0)
    film = film_of(TorqueMotor(-0.5, 0.5), {"push": reflex}, 0.02, 0.001, q=1.0)
    assert film.signals["kinetic"][-1, 0] == pytest.approx(0.5 * (0.5 * 0.02) ** 2 / INERTIA, rel=1e-6)


def test_one_sided_feedback_acts_above_its_reference():
    assert responses(DelayedFeedback(ANGLE, "arm", 2.0, 1.0, one_sided=True), [0.0, 3.0]) == [0.0, 4.0]
    assert responses(DelayedFeedback(ANGLE, "arm", 2.0, 1.0), [0.0, 3.0]) == [-2.0, 4.0]


CONTROLLER = FeedbackController(Constant(), {"arm": TorqueMotor(-1.0, 1.0)})


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: DelayedFeedback(Signal("angles", "arn"), "arm", 1.0),
            'angles of "arn", which the controller lacks; did',
        ),
        (lambda: DelayedFeedback(Signal("loads", "foot"), "arm", 1.0), 'loads of "foot", which the controller lacks'),
        (lambda: DelayedFeedback(ANGLE, "leg", 1.0), 'acts on "leg", which is not an actuator'),
        (lambda: DelayedFeedback(ANGLE, "arm", 1.0, command="speed"), 'adds to the command "speed"; there are torque'),
        (lambda: DelayedFeedback(ANGLE, "arm", math.nan), "the gain of a delayed feedback reflex is nan"),
        (lambda: DelayedFeedback(ANGLE, "arm", 1.0, delay=-0.1), "cannot act -0.1 s after its signal"),
        (lambda: DelayedFeedback(Signal("angels", "arm"), "arm", 1.0), 'cannot read "angels"; did you mean "angles"'),
        (lambda: TendonOrgan(Signal("actuator_outputs", "arm"), "arm", 1.0), 'an output of "arm"; give its entry'),
        (lambda: ClaspKnife(FORCE, "arm", 1.0, 1.0, 2.0), "begins at 1.0 must end below that, not at 2.0"),
        (lambda: Withdrawal(ANGLE, "arm", 1.0, 1.0, 0.0), "decays in more than 0 s"),
    ],
)
def test_impossible_reflexes_are_refused(make: Any, text: str):
    with pytest.raises(WorldError, match=text):
        with_reflexes(CONTROLLER, {"reflex": make()}, 0.001)


def test_a_reflex_of_another_package_is_added():
    @dataclass(frozen=True)
    class Twitch(Reflex):
        kind: ClassVar[str] = "twitch"
        signal: Signal
        actuator: str
        delay: float = 0.0
        command: str = ""

        def response(self, numbers: Mapping[str, Scalar], memory: Any, x: Scalar, dt: Scalar) -> tuple[Scalar, Any]:
            return 0.25, memory

    with pytest.raises(WorldError, match='"reflex" is of no known kind'):
        with_reflexes(CONTROLLER, {"reflex": Twitch(ANGLE, "arm")}, 0.001)
    try:
        add_reflex(Twitch)
        film = film_of(TorqueMotor(-1.0, 1.0), {"twitch": Twitch(ANGLE, "arm")}, 0.02, 0.001)
        assert film.signals["kinetic"][-1, 0] == pytest.approx(0.5 * (0.25 * 0.02) ** 2 / INERTIA, rel=1e-6)
    finally:
        REFLEXES.pop("twitch", None)
    with pytest.raises(WorldError, match="must be a class derived from"):
        add_reflex(int)
