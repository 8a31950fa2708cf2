"""Conservation laws for every integrator: energy and momenta over ten thousand steps; loops that stay closed."""

from functools import cache

import numpy as np
import pytest
from worlds import Array, diagonal, energy_balance, mechanical

from gambol.dynamics import kinematics, momentum
from gambol.dynamics.loops import projected, rows
from gambol.figure import Closure, Figure, Joint, JointSpring, Link, random_figure, random_state
from gambol.integrate import INTEGRATORS
from gambol.world import Engine, State, Timing, World, start

ADRIFT = random_figure(3, 2, kinds=("spherical",), root="free")
"""Two bodies in free fall, with general moments of inertia and joint placements."""

T, H, TOLERANCE = 10.0, 1e-3, 1e-9


def momenta(state: State) -> tuple[Array, Array]:
    h = momentum(kinematics(ADRIFT, state.q[0].tolist(), state.v[0].tolist()))
    return np.array([*h.n]), np.array([*h.f])


def off(now: Array, then: Array) -> float:
    return float(np.linalg.norm(now - then) / np.linalg.norm(then))


@pytest.mark.parametrize("method", INTEGRATORS)
def test_energy_and_momenta_over_ten_thousand_steps(method: str):
    """Speeds are some 1 rad/s: the error of a step of order p is up to 2 h^(p + 1), or the tolerance."""
    row = INTEGRATORS[method]
    engine = Engine(World(ADRIFT, gravity=0.0, timing=Timing(0.1, H, method, TOLERANCE)), lanes=1)
    state = start(engine.world)
    state.q[0], state.v[0] = random_state(ADRIFT, 1)
    E, (n, p) = [float(mechanical(engine, state)[0])], momenta(state)
    for frame in range(5, 101, 5):
        engine.advance(state, frame)
        E.append(float(mechanical(engine, state)[0]))
    taken = float(state.step_state.clock.taken[0])
    assert taken == 10_000 or row.adaptive
    missed = taken * TOLERANCE if row.adaptive else max(2.0 * T * H**row.order, 1e-11)
    gain = np.array(E) / E[0] - 1.0
    assert abs(gain).max() < missed
    exact = method == "variational"
    assert max(off(momenta(state)[0], n), off(momenta(state)[1], p)) < (1e-11 if exact else missed)
    if method in ("explicit euler", "corpus euler"):
        assert (np.diff(gain) > 0.0).all()
    if method == "implicit euler":
        assert (np.diff(gain) < 0.0).all()
    if exact:  # swings about the true energy, and no further the longer it lasts
        assert abs(gain[10:]).max() < 1.2 * abs(gain[:11]).max()


def linkage() -> Figure:
    """Return two cranks on the world and a rod between them, with a rotor, which close a loop in space."""
    rod, hinge = diagonal(1.0, 0.01, 0.01, 0.01), (0.0, 1.0, 0.0)
    return Figure(
        "linkage",
        (
            Link("ground", None, Joint("fixed"), (), rod),
            Link("left", "ground", Joint("revolute", hinge, rotor=0.01, gear=2.0), (), rod),
            Link("rod", "left", Joint("spherical", position=(0.2, 0.0, 0.0)), (), rod),
            Link("right", "ground", Joint("revolute", hinge, position=(0.2, 0.0, 0.0)), (), rod),
        ),
        constraints=(Closure("point", "rod", "right", position=(0.2, 0.0, 0.0), other_position=(0.2, 0.0, 0.0)),),
    )


LINKAGE = linkage()
LOOPED = [name for name in INTEGRATORS if name != "variational"]
SPRINGS = {
    "left": JointSpring(stiffness=2.0, damping=0.02, friction=0.05, bias=0.1, rest=0.4),
    "rod": JointSpring(stiffness=0.5, damping=0.01),
}


@cache
def swinging(method: str) -> tuple[Engine, State]:
    """Return eleven linkages that oscillate at different speeds."""
    world = World(LINKAGE, SPRINGS, timing=Timing(0.01, 1e-3, method, 1e-6))
    engine, state = Engine(world, lanes=4), start(world, 11)
    folded = [0.4, np.cos(0.2), 0.0, -np.sin(0.2), 0.0, 0.4]
    for k, v in enumerate(np.random.default_rng(0).normal(size=(11, LINKAGE.nv))):
        q, v = projected(LINKAGE, folded, v.tolist())
        state.q[k], state.v[k] = q, v
    return engine, state


@pytest.mark.parametrize("method", LOOPED)
def test_figures_with_loops_have_one_future_in_every_lane_and_stay_closed(method: str):
    engine, state = swinging(method)
    full, saved, threaded = state.copied(), state.copied(), state.copied()
    engine.advance(full, 40)
    engine.advance(saved, 17)
    restored = State(engine.world, saved.rows.copy())
    engine.advance(restored, 40)
    np.testing.assert_array_equal(restored.rows, full.rows)
    engine.advance(threaded, 40, threads=3)
    np.testing.assert_array_equal(threaded.rows, full.rows)
    single = State(engine.world, state.rows[:, 4:5].copy())
    Engine(engine.world, lanes=1).advance(single, 40)
    np.testing.assert_array_equal(single.rows[:, 0], full.rows[:, 4])
    for q, v in zip(full.q, full.v, strict=True):
        closed = rows(kinematics(LINKAGE, q.tolist(), v.tolist()))
        assert max(abs(row.gap) for row in closed) < 1e-14
        assert max(abs(row.speed) for row in closed) < 1e-13
    # 0.4 s of some J: what the method misses, in each step h^(p + 1) of it
    missed = np.abs(energy_balance(engine, full) - energy_balance(engine, state)).max()
    assert missed < (1e-4 if INTEGRATORS[method].order > 1 else 0.5)
