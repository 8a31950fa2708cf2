"""Every integrator in a world: falls, bounces and oscillations, their ledgers, and the integrator state."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from worlds import ball, block, body, diagonal, energy_balance, moved, touch

from gambol.contact import SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure, Joint, JointSpring, Link
from gambol.figure.generator import random_figure
from gambol.integrate import INTEGRATORS
from gambol.world import Engine, External, State, Timing, World, start
from gambol.world.context import LEDGER_SIGNS

CHAIN = random_figure(3, 4, kinds=("revolute", "spherical"), root="free")
FIRST = [name for name, row in INTEGRATORS.items() if row.order == 1]


def timing(method: str, step: float = 2e-4, tolerance: float = 1e-7) -> Timing:
    return Timing(control_step=0.01, step=step, method=method, tolerance=tolerance)


@cache
def thrown(method: str) -> tuple[Engine, State]:
    """Return nineteen blocks, thrown and turning, that land on a damped ground."""
    world = World(
        block(), surface=SurfaceProperties(touch(damping=20.0, restitution=0.5)), timing=timing(method, tolerance=1e-5)
    )
    state, rng = start(world, 19, position=(0.0, 0.0, 0.25)), np.random.default_rng(0)
    state.v[:] = rng.normal(size=(19, 6))
    return Engine(world), state


def free(method: str) -> World:
    return World(body(diagonal(2.0, 1.0, 2.0, 3.0)), timing=Timing(control_step=0.01, step=0.005, method=method))


@pytest.mark.parametrize("method", INTEGRATORS)
def test_a_body_that_does_not_turn_falls_along_a_parabola(method: str):
    world = free(method)
    state = start(world, position=(0.0, 0.0, 5.0))
    state.v[0, 3:] = (1.0, 0.0, 2.0)
    after = moved(Engine(world), state, 1.0)
    # Methods of order 1 fall h g t / 2 further or less; the others are exact for a parabola.
    late = 0.5 * 9.81 * 0.01 if method in FIRST else 1e-12
    np.testing.assert_allclose(after.q[0, 4:7], (1.0, 0.0, 7.0 - 0.5 * 9.81), atol=late)
    np.testing.assert_allclose(after.v[0, 3:], (1.0, 0.0, 2.0 - 9.81), atol=1e-11)


@pytest.mark.parametrize("method", INTEGRATORS)
def test_a_saved_state_has_the_same_future(method: str):
    engine, state = thrown(method)
    full, saved = state.copied(), state.copied()
    engine.advance(full, 40)
    engine.advance(saved, 17)
    restored = State(engine.world, saved.rows.copy())
    engine.advance(restored, 40)
    np.testing.assert_array_equal(restored.rows, full.rows)
    assert (full.step_state.clock.status == 0.0).all()


@pytest.mark.parametrize("method", INTEGRATORS)
def test_lanes_and_threads_do_not_matter(method: str):
    engine, state = thrown(method)
    full, threaded, scalar = state.copied(), state.copied(), State(engine.world, state.rows[:, 7:8].copy())
    engine.advance(full, 30)
    engine.advance(threaded, 30, threads=2)
    Engine(engine.world, lanes=1).advance(scalar, 30)
    np.testing.assert_array_equal(threaded.rows, full.rows)
    np.testing.assert_array_equal(scalar.rows[:, 0], full.rows[:, 7])


@pytest.mark.parametrize("method", INTEGRATORS)
def test_the_ledger_of_blocks_that_land_closes(method: str):
    """Of some 3 J for each block. Contact begins and ends within steps, which no order resolves."""
    engine, state = thrown(method)
    after = moved(engine, state, 0.5)
    off = np.abs(energy_balance(engine, after) - energy_balance(engine, state))
    assert np.median(off) < (0.3 if method in FIRST else 0.03)
    assert off.max() < 0.5


def swing(method: str, stiffness: float, damping: float, **how: float) -> World:
    """A wheel of 1 kg m2 on a spring and a damper, without weight."""
    wheel = Link("wheel", None, Joint("revolute", (0.0, 1.0, 0.0)), (), diagonal(1.0, 1.0, 1.0, 1.0))
    springs = {"wheel": JointSpring(stiffness=stiffness, damping=damping)}
    return World(Figure("wheel", (wheel,)), springs, gravity=0.0, timing=timing(method, **how))


# k = 100, c = 2: the angle at 0.5 and 1 s, from 1 rad at rest.
DAMPED = {0.5: 0.09855066761858593, 1.0: -0.33685168059041337}


@pytest.mark.parametrize("method", INTEGRATORS)
def test_a_damped_spring_swings_by_its_closed_form(method: str):
    world = swing(method, 100.0, 2.0)
    engine, state = Engine(world), start(world, angles={"wheel": 1.0})
    error = {1: 2e-2, 2: 1e-5, 3: 1e-6, 4: 1e-7, 5: 1e-6}[INTEGRATORS[method].order]
    for t, angle in DAMPED.items():
        after = moved(engine, state, t)
        assert after.q[0, 0] == pytest.approx(angle, abs=error)
        assert energy_balance(engine, after)[0] == pytest.approx(50.0, abs=100.0 * error)


def test_a_stiff_damper_costs_the_linearly_implicit_method_nothing():
    """Decays at 1 and at 1e5 per s: the fast part vanishes at once, and the frame of 10 ms is one step."""
    world = swing("rosenbrock", 1e5, 1e5 + 1.0, tolerance=1e-4, step=1e-4)
    engine, state = Engine(world), start(world, angles={"wheel": 1.0})
    after = moved(engine, state, 2.0)
    assert after.q[0, 0] == pytest.approx(np.exp(-2.0), rel=2e-3)
    assert after.step_state.clock.taken[0] < 230
    explicit = swing("rkf45", 1e5, 1e5 + 1.0, tolerance=1e-4, step=1e-4)
    slow = moved(Engine(explicit), start(explicit, angles={"wheel": 1.0}), 0.05)
    assert slow.step_state.clock.taken[0] > 1000


@pytest.mark.parametrize("method", ["variational", "implicit midpoint", "velocity verlet", "dormand-prince"])
def test_a_chain_swings_alike_by_all_methods_and_conserves_energy(method: str):
    def ended(name: str, step: float) -> Any:
        world = World(CHAIN, timing=timing(name, step=step, tolerance=1e-11))
        engine, state = Engine(world, lanes=1), start(world)
        state.v[0] = np.linspace(0.5, -0.5, CHAIN.nv)
        after = moved(engine, state, 0.5)
        return after.q[0], energy_balance(engine, after)[0] - energy_balance(engine, state)[0]

    exact, _ = ended("rkf45", 1e-3)
    errors = [np.abs(ended(method, step)[0] - exact).max() for step in (1e-3, 5e-4)]
    assert errors[1] < 2e-4
    assert errors[1] < 0.35 * errors[0] or errors[1] < 1e-9
    assert ended(method, 5e-4)[1] == pytest.approx(0.0, abs=1e-4)


def test_what_the_integrator_remembers_is_in_the_state():
    leapfrog, rk4 = (resting_rows(free(method)) for method in ("leapfrog", "rk4"))
    assert leapfrog == rk4 + 6 + len(LEDGER_SIGNS) + 1  # lags of velocities and of the ledger, and the last step


def resting_rows(world: World) -> int:
    return len(start(world).rows)


def test_a_prescribed_base_has_no_variational_method():
    base = Link("base", None, Joint("free"), (), diagonal(1.0, 1.0, 1.0, 1.0))
    world = World(
        Figure("base", (base,), prescribed=True), external=External(base_acceleration=lambda time, q, v: [0.0] * 6)
    )
    with pytest.raises(WorldError, match="variational"):
        replace(world, timing=Timing(method="variational"))


@pytest.mark.parametrize("kind", ["free", "planar"])
def test_a_rotor_along_axes_that_turn_follows_no_action(kind: str):
    """The variational method would give it another motion than all others do."""
    disc = Link("disc", None, Joint(kind, rotor=0.5), (), diagonal(1.0, 0.1, 0.2, 0.3))
    World(Figure("disc", (disc,)), timing=Timing(method="implicit midpoint"))
    with pytest.raises(WorldError, match=f'"disc" has a {kind} joint with a rotor, which the integrator'):
        World(Figure("disc", (disc,)), timing=Timing(method="variational"))


@pytest.mark.parametrize("kind", sorted(set(JOINTS) - {"fixed", "free", "planar"}))
def test_rotors_move_alike_by_energies_and_by_accelerations(kind: str):
    radius = 0.2 if kind == "rolling" else 0.0
    joint = Joint(kind, rotor=0.5, gear=2.0, pitch=0.1 if kind == "helical" else 0.0, radius=radius)
    figure = Figure(
        "disc", (Link("disc", None, joint, (), replace(diagonal(1.0, 0.1, 0.2, 0.3), com=(0.1, 0.05, 0.0))),)
    )

    def ended(method: str) -> Any:
        engine = Engine(World(figure, gravity=0.0, timing=timing(method, step=1e-3)))
        state = start(engine.world)
        state.v[0] = np.array([1.0, 2.0, -0.5])[: figure.nv]
        return moved(engine, state, 0.5).q[0]

    # Both are of order 2, with errors of h^2 times some unit.
    np.testing.assert_allclose(ended("variational"), ended("rk4"), atol=1e-6)


def test_every_method_refuses_a_tolerance_below_its_precision():
    for method, row in INTEGRATORS.items():
        world = World(ball(), timing=timing(method, tolerance=1e-14))
        if row.adaptive:
            with pytest.raises(WorldError, match="tolerance"):
                Engine(world)
        else:
            Engine(world)
