"""Servos of large steps, explicit as far as is stable: closed forms, bounds, limits, and balanced books."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from drives import ConstantPattern, hopper, hopper_world
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import restored
from scipy.linalg import eigh, expm
from sprung_figures import falls, stander, train
from worlds import touch

from gambol.actuation import ACTUATORS, HillServo, Servo, VelocityServo
from gambol.actuation.actuator import Actuator, ActuatorInput
from gambol.actuation.implicit_force import ImplicitForce, ImplicitShares
from gambol.actuation.servo import implicit_servo
from gambol.collide import NoGround
from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.stepping import implicit_part
from gambol.contact.stepping.implicit_part import MARGIN
from gambol.control import Drive
from gambol.dynamics import Dynamics
from gambol.dynamics.forward import diagonal_bound, factorised, lower
from gambol.figure import Figure, JointSpring, random_figure
from gambol.world import Engine, State, Timing, World, start

EACH = 4  # wagons
EXPLICIT = Stepping(explicit_servos=True)


def driven(
    figure: Figure, servos: Mapping[str, Actuator], levels: tuple[float, ...], timing: Timing, **changes: Any
) -> World:
    """Return a world without ground and weight, whose servos get constant signals."""
    options: dict[str, Any] = {"contact": EXPLICIT, "gravity": 0.0, "ground": NoGround()} | changes
    return World(figure, controller=Drive(ConstantPattern(levels), servos), timing=timing, **options)


@settings(max_examples=20)
@given(st.integers(0, 2**16), st.sampled_from([0.0, 1.0]))
def test_the_energy_of_springs_and_servos_follows_its_formula_and_is_positive(seed: int, rotors: float):
    """As for springs alone: gains a thousand times below and above what is stable, each beside a spring and a damper.

    The positions of servos and springs are those from their common rest; E counts the stiffness of both.
    """
    random, h, steps = np.random.default_rng(seed), 0.01, 20
    masses = 10.0 ** random.uniform(-3.0, 0.0, EACH)
    armatures = rotors * masses.mean() * 10.0 ** random.uniform(-1.0, 1.0, EACH)
    K, k = masses.mean() / h**2 * 10.0 ** random.uniform(-3, 3, (2, EACH))
    B, d = masses.mean() / h * 10.0 ** random.uniform(-3, 3, (2, EACH))
    figure, names = train(masses, armatures), [f"wagon{n}" for n in range(EACH)]
    springs = {name: JointSpring(stiffness=K[n], damping=B[n]) for n, name in enumerate(names)}
    servos = {name: Servo(-1.0, 1.0, k[n], d[n]) for n, name in enumerate(names)}
    world = driven(figure, servos, (0.0,) * EACH, Timing(h, h), springs=springs)
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = random.normal(size=(2, EACH))
    M = Dynamics(figure).mass_matrix(state.q[0])
    part = implicit_part(lower(M.tolist()), armatures.tolist(), list(K + k), list(B + d), h)
    K_i, B_A = np.array(part.stiffness), np.array(part.damping)
    B_e = 2.0 * (B + d - B_A)
    B_i = B + d - B_e
    kinetic = M + np.diag(0.25 * h * h * (2.0 * K_i - K - k) + 0.5 * h * B_i)
    assert np.linalg.eigvalsh(kinetic).min() > 0.0

    def energy(q: np.ndarray, v: np.ndarray) -> float:
        return float(0.5 * v @ kinetic @ v + 0.5 * q @ ((K + k) * q))

    for step in range(1, steps + 1):
        q, v = state.q[0].copy(), state.v[0].copy()
        before = energy(q, v)
        engine.advance(state, step)
        total = v + state.v[0]
        lost = 0.25 * h * total @ ((h * K_i + B_i + B_e) * total)
        speed = max(np.abs([v, state.v[0]]).max(), np.abs(q).max() / h)
        largest = max(kinetic.max(), ((K + k) * h * h).max()) * speed**2
        assert energy(state.q[0], state.v[0]) == pytest.approx(before - lost, rel=0.0, abs=1e-11 * largest)


def response(contact: Stepping, h: float) -> float:
    """Return the position of a mass of 1 kg after 0.6 s; its servo's target moves from 0 to 0.8 in the first 0.2 s."""
    world = driven(
        train(np.array([1.0])), {"wagon0": Servo(-1.0, 1.0, 40.0, 3.0)}, (0.8,), Timing(0.2, h), contact=contact
    )
    engine, state = Engine(world, lanes=1), start(world)
    engine.advance(state, 3)
    return float(state.q[0, 0])


def exact_response() -> float:
    """Return the same by matrix exponentials: of position, velocity, target, and the target's rate."""
    q, v, target, rate = np.eye(4)
    A = np.array([v, 40.0 * (target - q) - 3.0 * v, rate, 0.0 * q])
    moving = expm(0.2 * A) @ [0.0, 0.0, 0.0, 0.8 / 0.2]
    return float((expm(0.4 * A) @ [moving[0], moving[1], 0.8, 0.0])[0])


def test_a_linear_servo_is_of_second_order():
    """Explicit gains against the exact exponential; implicit ones are of first order, and ten times as far off."""
    exact = exact_response()
    coarse, fine = (response(EXPLICIT, h) - exact for h in (0.02, 0.01))
    assert coarse / fine == pytest.approx(4.0, abs=0.4)
    implicit, finer = (response(Stepping(), h) - exact for h in (0.02, 0.01))
    assert implicit / finer == pytest.approx(2.0, abs=0.4)
    assert abs(implicit) > 10.0 * abs(coarse)


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_a_velocity_servo_approaches_its_target_like_the_mean_velocity_or_implicitly(scale: float):
    """v+ - u = (v - u) (I / h + B - d) / (I / h + B): B is d / 2, or more where the motion would reverse."""
    h, d = 0.01, 20.0 * scale
    world = driven(train(np.array([1.0])), {"wagon0": VelocityServo(-1.0, 1.0, d)}, (0.5,), Timing(h, h))
    engine, state = Engine(world, lanes=1), start(world)
    engine.advance(state, 3)
    B = max(0.5 * d, d - 0.5 / h)
    left = (1.0 / h + B - d) / (1.0 / h + B)
    assert left > 0.0
    assert state.v[0, 0] == pytest.approx(0.5 * (1.0 - left**3), rel=1e-12)


def test_the_bound_of_gains_is_necessary_in_a_train():
    """S is the largest allowed explicit h^2 K / 4. Beyond S <= M a step is unstable, whatever the other gains are.

    The entries of a train's M^-1 can be made positive by reversing every second joint. Then the row sums of S M^-1,
    which are 1, are its largest eigenvalue, by Perron's theorem: no larger multiple of S is stable. That S <= M in
    other figures is tested with diagonal_bound().
    """
    M = np.array(Dynamics(train(10.0 ** np.array([0.0, -2.0, -1.0, 0.5]))).mass_matrix(np.zeros(EACH)))
    S = diagonal_bound(factorised(lower(M.tolist())), range(EACH))
    assert eigh(np.diag(S), M, eigvals_only=True)[-1] == pytest.approx(1.0, rel=1e-12)


@dataclass(frozen=True, slots=True)
class ExplicitServo(Servo):
    """A servo that is explicit in every large step, stable or not: it has no gains that a world bounds."""

    kind: ClassVar[str] = "explicit servo"

    def gains(self, numbers: Any) -> None:
        """Return None."""

    def implicit_force(self, numbers: Any, at: ActuatorInput, inertias: Sequence[Any], h: Any) -> ImplicitForce:
        """Return its force in mid-step, at the mean of the velocities."""
        explicit = ImplicitShares(0.0, 0.5)
        return implicit_servo(numbers, at.commands[0] - at.q[0], at.v[0], inertias[0], h, explicit)


def test_a_step_that_exceeds_the_bound_is_unstable():
    """A servo at the bound oscillates for ever. One that is explicit without a bound does so up to k = 4 I / h^2.

    With I = 1 and s = h^2 k / 4 a step keeps (1 - s) v^2 + k q^2, which is not positive for s > 1. Its eigenvalues are
    then -r and -1 / r, r = 2 s - 1 + 2 sqrt(s (s - 1)), and positions from rest grow as (r^n + r^-n) / 2.
    """
    h, first = 0.01, 0.1
    for part, servo, steps in ((MARGIN, Servo, 10_000), (0.99, ExplicitServo, 10_000), (1.01, ExplicitServo, 100)):
        stiffness = 4.0 * part / h**2 * (1.0 - 1e-9)
        with restored(ACTUATORS):
            ACTUATORS[servo.kind] = servo
            world = driven(train(np.array([1.0])), {"wagon0": servo(-1.0, 1.0, stiffness)}, (0.0,), Timing(h, h))
            engine, state = Engine(world, lanes=1), start(world)
            state.q[0] = first
            engine.advance(state, steps)
        kept = (1.0 - part) * state.v[0, 0] ** 2 + stiffness * state.q[0, 0] ** 2
        if part < 1.0:
            assert kept == pytest.approx(stiffness * first**2, rel=1e-6)
        else:
            growth = 2.0 * part - 1.0 + 2.0 * np.sqrt(part * (part - 1.0))
            assert abs(state.q[0, 0]) == pytest.approx(0.5 * first * growth**steps, rel=1e-3)


def test_random_gains_at_random_figures_do_not_blow_up():
    """Gains far below and far above the bound, at figures without weight that turn and change their mass matrix.

    The energy of the scheme counts M - h^2 K_e / 4, which is (1 - MARGIN) M or more, so that for constant M the energy
    of figure and servos stays below 1 / (1 - MARGIN) of the first one.
    """
    for seed in range(3):
        figure = random_figure(seed, 6, kinds=("revolute", "prismatic"), root="free")
        h = 0.01
        names = [link.name for link in figure.links if link.joint.kind in ("revolute", "prismatic")]
        servos = {name: Servo(-1.0, 1.0, 1.0, 1.0) for name in names}
        world = driven(figure, servos, (0.0,) * len(names), Timing(h, h))
        engine, worlds, random = Engine(world), 64, np.random.default_rng(seed)
        state = start(world, worlds)
        inertias = np.diag(Dynamics(figure).mass_matrix(state.q[0]))[6:]
        gains = {
            name: {
                "stiffness": inertias[n] / h**2 * 10.0 ** random.uniform(-3.0, 2.0, worlds),
                "damping": inertias[n] / h * 10.0 ** random.uniform(-4.0, 0.0, worlds),
            }
            for n, name in enumerate(names)
        }
        numbers = engine.numbers(actuators={n: {**servos[n].numbers(), **x} for n, x in gains.items()})
        state.v[:] = random.normal(size=state.v.shape) * 0.3
        kept = [energy(engine, state, numbers, gains)]
        for step in range(1, 1000):
            engine.advance(state, step, numbers)
            kept.append(energy(engine, state, numbers, gains))
        assert not np.any(state.step_state.clock.status)
        assert np.max(np.array(kept) / kept[0]) < 1.0 / (1.0 - MARGIN)


def energy(engine: Engine, state: State, numbers: Any, gains: Mapping[str, Any]) -> np.ndarray:
    """Return the energy of figures, and of their servos with targets of 0 (W) [J]."""
    seen, figure = engine.observe(state, numbers), engine.world.figure
    stored = sum(0.5 * x["stiffness"] * state.q[:, figure.link(name).q.start] ** 2 for name, x in gains.items())
    return np.array(seen.kinetic, float) + stored


def imbalance(contact: Stepping, h: float) -> float:
    """Return the median energy without a cause of 64 treading hoppers over half a second, over their motors' work."""
    world = hopper_world("stepping", h, 0.02)
    world = World(hopper(), controller=world.controller, surface=world.surface, contact=contact, timing=Timing(0.02, h))
    engine, state = Engine(world), start(world, 64, jitter=0.1, seed=2)
    state.q[:, 6] += 0.45
    before = engine.observe(state)
    engine.advance(state, 25)
    after, ledger = engine.observe(state), state.step_state.ledger
    change = sum(np.array(getattr(after, x) - getattr(before, x), float) for x in ("kinetic", "potential", "stored"))
    given = np.array(ledger.motors + ledger.outside + ledger.stabilisation, float)
    taken = np.array(ledger.damping + ledger.impact + ledger.sliding + ledger.numerical_damping, float)
    return float(np.median(np.abs(change - given + taken) / taken))


def test_the_books_of_landing_hoppers_are_as_closed_as_with_implicit_servos():
    implicit, explicit = (imbalance(contact, 5e-3) for contact in (Stepping(), EXPLICIT))
    assert explicit < max(1.2 * implicit, 1e-3)
    divided = imbalance(Stepping(explicit_servos=True, second_order_landings=True), 5e-3)
    assert divided < max(1.2 * implicit, 1e-3)


def landed(servos: Mapping[str, Actuator], contact: Stepping, counts: Sequence[int]) -> list[np.ndarray]:
    """Return the coordinates of a trunk on two legs after 0.3 s with landings, for numbers of steps in that time."""
    rough, seconds = SurfaceProperties(touch(restitution=0.0, friction=0.8)), 0.3
    drive = Drive(ConstantPattern((0.0,) * 4), servos)
    timing = Timing(seconds, seconds)
    return falls(World(stander()[0], surface=rough, contact=contact, controller=drive, timing=timing), 64, counts)


@pytest.mark.parametrize("kind", [Servo, HillServo])
def test_landings_on_legs_with_servos_are_of_second_order(kind: type[Servo] | type[HillServo]):
    """As on legs with springs, see test_landing_order.py: the same stiffness and damping, held by servos.

    Implicit servos leave errors of first order.
    """
    limits: Any = {"strength": 1e3} if kind is Servo else {"strength": 1e3, "max_speed": 1e4}
    servos = {
        name: kind(rest - 0.1, rest + 0.1, 20.0, 0.3, **limits)
        for leg in ("front", "hind")
        for name, rest in ((f"{leg} thigh", 0.4), (f"{leg} shank", -0.8))
    }
    exact = Stepping(iterations=20, explicit_servos=True, second_order_landings=True)
    implicit = Stepping(iterations=20, second_order_landings=True)
    orders, errors = [], []
    for contact in (exact, implicit):
        coarse, fine, reference = landed(servos, contact, (60, 240, 1200))
        found = [np.median(np.abs(q - reference).max(axis=1)) for q in (coarse, fine)]
        orders.append(np.log2(found[0] / found[1]) / 2.0)
        errors.append(found[0])
    assert orders[0] > 1.6
    assert errors[0] < 0.2 * errors[1]


def test_springs_are_as_explicit_with_the_option_as_without():
    """A servo of nearly no gain changes nothing at its own joint, and nothing at those that no servo drives."""
    figure, springs = stander()
    ends = []
    for contact in (Stepping(), EXPLICIT):
        drive = Drive(ConstantPattern((0.0,)), {"front thigh": Servo(0.3, 0.5, 1e-9)})
        world = World(figure, springs, contact=contact, controller=drive, timing=Timing(0.01, 0.01))
        state = start(world)
        state.q[0, 6] = 0.6
        Engine(world, lanes=1).advance(state, 5)
        ends.append(state.q[0].copy())
    np.testing.assert_allclose(*ends, rtol=0.0, atol=1e-9)
