"""Muscles in worlds: isometric contraction, quick release, a hanging mass, and their book of energy.

SciPy's Radau method integrates the muscle's equations, written here over the curves alone.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from drives import ConstantPattern
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from worlds import energy_balance, moved

from gambol.actuation import SpringTendon
from gambol.actuation.muscle import Metabolism, Muscle, Pulley, PulleyPath
from gambol.control import Drive, FeedbackController
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.world import Engine, State, Timing, World, run, start

GRAVITY = 9.81
SOL = Muscle(
    joints=("mass",),
    path=PulleyPath((Pulley(1.0),)),
    max_force=4000.0,
    optimal_length=0.04,
    slack_length=0.26,
    max_velocity=6.0,
)
CONTROL_STEP = 0.005


@dataclass(frozen=True)
class Excitations:
    """A law that gives constant excitations, and remembers what muscles sense of themselves."""

    levels: tuple[float, ...]
    remembered: tuple[tuple[str, str], ...] = ()
    required_senses: ClassVar[tuple[str, ...]] = ("actuator_outputs",)

    def numbers(self) -> dict[str, Any]:
        return {"levels": list(self.levels)}

    def memory(self) -> list[Any]:
        return [0.0 for _ in self.remembered]

    def commands(self, numbers: Any, memory: Any, senses: Any, dt: Any) -> Any:
        return numbers["levels"], [senses.actuator_outputs[name][entry] for name, entry in self.remembered]

    def structure(self) -> tuple[Any, ...]:
        return (len(self.levels), self.remembered)


def lift(mass: float) -> Figure:
    """A mass on an upright slide: the muscle hangs from above, and shortens as q rises."""
    body = MassProperties(mass, (0.0, 0.0, 0.0))
    return Figure("lift", (Link("mass", None, Joint("prismatic", (0.0, 0.0, 1.0)), (), body),))


def world_of(
    muscle: Any, u: float, mass: float, contact: str = "penalty", timing: Timing | None = None, g: float = GRAVITY
) -> World:
    timing = timing or Timing(CONTROL_STEP, CONTROL_STEP, "rosenbrock", tolerance=1e-9)
    law = Excitations((u,) * len(muscle.commands), (("m", "force"), ("m", "length")))
    return World(
        lift(mass), controller=FeedbackController(law, {"m": muscle}), contact=contact, timing=timing, gravity=g
    )


def rates(muscle: Muscle, u: float, mass: float, g: float) -> Any:
    """The equations of mass and muscle of y = q, v, a, l, for SciPy: the fibre's rate is found by bisection."""
    row, p = muscle.curve_set, muscle.curve_set.numbers
    L0 = muscle.optimal_length + muscle.slack_length

    def slope(_: float, y: Any) -> list[float]:
        q, v, a, fibre = (float(x) for x in y)
        strain = (L0 - q - muscle.optimal_length * fibre) / muscle.slack_length - 1.0
        assert row.tendon is not None
        T = row.tendon.force(p, strain)
        rate = brentq(
            lambda w: row.fibre(p, a, fibre, w) + muscle.viscosity * w - T, -20.0, 20.0, xtol=1e-15, rtol=1e-14
        )
        da = muscle.dynamics.rate(muscle.dynamics.numbers, u, a)
        return [v, muscle.max_force * T / mass - g, da, muscle.max_velocity * rate]

    return slope


def found(state: State) -> list[float]:
    fibre = state.actuators["m"]
    return [float(x[0]) for x in (state.q[:, 0], state.v[:, 0], fibre["activation"], fibre["fibre_length"])]


def solved(muscle: Muscle, u: float, mass: float, y: list[float], seconds: float, g: float = GRAVITY) -> list[float]:
    solution = solve_ivp(rates(muscle, u, mass, g), (0.0, seconds), y, "Radau", rtol=1e-9, atol=1e-11)
    return [float(x) for x in solution.y[:, -1]]


@pytest.mark.parametrize("curves", ["geyer-herr 2010", "de groote-fregly 2016", "thelen 2003"])
def test_an_isometric_contraction_and_a_quick_release_follow_scipy(curves: str):
    """Without weight, a mass of 1e9 kg holds still (isometric); then 20 kg are released, and rise."""
    muscle = replace(SOL, curves=curves)
    engine = Engine(world_of(muscle, 0.6, 1e9, g=0.0))
    held = moved(engine, begun := start(engine.world, q=[0.003]), 0.1)
    expected = solved(muscle, 0.6, 1e9, found(begun), 0.1, 0.0)
    np.testing.assert_allclose(found(held)[2:], expected[2:], atol=1e-6)
    assert found(held)[2] == pytest.approx(0.6, abs=0.1)
    assert found(held)[3] < found(begun)[3] - 0.02
    release = Engine(world_of(muscle, 0.6, 20.0))
    free = start(release.world, q=held.q[:1], v=[[0.0]])
    for entry, value in held.actuators["m"].items():
        free.actuators["m"][entry][:] = value
    expected = solved(muscle, 0.6, 20.0, found(free), 0.03)
    free = moved(release, free, 0.03)
    assert found(free)[1] > 0.2
    np.testing.assert_allclose(found(free), expected, atol=2e-6)


def test_large_steps_come_to_the_same_motion_with_the_first_order():
    """The implicit steps of stepping, at 1 and 0.5 ms, against SciPy; a step of 5 ms is stable still."""
    expected, errors = None, []
    for step in (1e-3, 5e-4):
        timing = Timing(CONTROL_STEP, step, "rk4")
        engine = Engine(world_of(SOL, 0.6, 60.0, "stepping", timing))
        state = start(engine.world, q=[-0.005])
        expected = expected or solved(SOL, 0.6, 60.0, found(state), 0.1)
        errors.append(np.abs(np.array(found(moved(engine, state, 0.1))) - expected).max())
    assert errors[0] < 0.05
    assert 1.6 < errors[0] / errors[1] < 2.5
    coarse = Engine(world_of(SOL, 0.6, 60.0, "stepping", Timing(CONTROL_STEP, CONTROL_STEP, "rk4")))
    assert np.isfinite(found(moved(coarse, start(coarse.world, q=[-0.005]), 0.5))).all()


@pytest.mark.parametrize("contact", ["penalty", "stepping", "impulse", "constraint"])
def test_a_mass_of_50_kg_hangs_at_its_weight(contact: str):
    """In every contact method; also, the law senses the force of its own muscle, and films have it."""
    timing = Timing(CONTROL_STEP, 5e-4, "rk4" if contact == "constraint" else "implicit euler")
    engine = Engine(world_of(replace(SOL, damping=0.1), 0.5, 50.0, contact, timing))
    state = moved(engine, start(engine.world, q=[-0.01]), 6.0)
    film = run(engine.world, state, 2 * CONTROL_STEP, rate=1.0 / CONTROL_STEP)
    force = film.signals["actuator m force"][-1, 0]
    assert force == pytest.approx(50.0 * GRAVITY, abs=0.01)
    assert float(state.step_state.memory.control.inner[0][0]) == pytest.approx(force, abs=1e-2)
    assert film.signals["actuator m length"][-1, 0] == pytest.approx(0.3 - float(state.q[0, 0]), abs=1e-6)


@pytest.mark.parametrize("metabolism", [None, Metabolism(), Metabolism("bhargava 2004", slow_twitch=0.8)])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"curves": "geyer 2003"},
        {"curves": "de groote-fregly 2016", "damping": 0.05},
        {"curves": "thelen 2003", "pennation": 0.3},
        {"curves": "millard 2012"},
        {"curves": "millard 2012", "rigid_tendon": True, "pennation": 0.2},
        {"path": PulleyPath((Pulley(1.0, scale=0.5),))},
    ],
)
def test_energy_is_neither_lost_nor_gained(changes: dict[str, Any], metabolism: Metabolism | None):
    """d(KE + PE - W)/dt = 0: the ledger's balance stays, to 1e-6 of the energy that went through it."""
    muscle = replace(SOL, metabolism=metabolism, **changes)
    engine = Engine(world_of(muscle, 0.4, 60.0))
    before = start(engine.world, q=[-0.004])
    after = moved(engine, before, 0.3)
    change = float((energy_balance(engine, after) - energy_balance(engine, before))[0])
    ledger = after.step_state.ledger
    moved_energy = abs(float(ledger.motors[0])) + 60.0 * GRAVITY * abs(float(after.q[0, 0] - before.q[0, 0]))
    assert moved_energy > 1.0
    assert abs(change) < 1e-6 * moved_energy
    if metabolism is not None:
        assert float(ledger.damping[0]) > 0.3 * 1.0 * 4000.0 / 250e3 * 0.04 * 1059.7  # 1 W/kg at least


def test_a_spring_tendon_swings_a_mass_at_its_own_frequency():
    """k / m above the slack: the period is 2 pi sqrt(m / k), and its energy is kept."""
    tendon = SpringTendon(("mass",), PulleyPath((Pulley(1.0),), length=0.3), 2000.0, longest=0.25, pulls_only=True)
    world = World(
        lift(5.0),
        controller=Drive(ConstantPattern(()), {"m": tendon}),
        contact="penalty",
        timing=Timing(CONTROL_STEP, 1e-3, "rk4"),
    )
    rest, period = 0.05 - 5.0 * GRAVITY / 2000.0, 2.0 * math.pi * math.sqrt(5.0 / 2000.0)
    engine, steps = Engine(world), round(period / CONTROL_STEP)
    state = start(world, q=[rest + 0.01])
    then = moved(engine, state, steps * CONTROL_STEP)
    phase = 2.0 * math.pi * steps * CONTROL_STEP / period
    np.testing.assert_allclose(then.q[0, 0], rest + 0.01 * math.cos(phase), atol=1e-8)
    np.testing.assert_allclose(energy_balance(engine, then), energy_balance(engine, state), atol=1e-8)


def test_lanes_have_muscles_of_their_own():
    """Forces that differ between worlds are inputs of one program."""
    world = world_of(SOL, 0.5, 50.0, "stepping", Timing(CONTROL_STEP, 1e-3, "rk4"))
    engine, numbers = Engine(world), world.numbers()["actuators"]
    strong = {**numbers["m"], "max_force": np.array([3000.0, 4000.0, 5000.0])}
    after = moved(engine, start(world, 3), 0.1, engine.numbers(actuators={"m": strong}))
    alone = moved(Engine(world), start(world), 0.1)
    np.testing.assert_array_equal(after.q[1], alone.q[0])
    assert len(set(after.q[:, 0].tolist())) == 3
