"""Actuators that span joints, follow paths over points, or take their initial state from the posture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from drives import ConstantPattern, wheel
from pages import restored
from scipy.linalg import expm
from worlds import diagonal, energy_balance, moved

from gambol.actuation import ACTUATORS, Actuator, add_actuator
from gambol.control import Drive
from gambol.figure import Figure, Joint, Link
from gambol.lanes import jvp
from gambol.spatial import Vector
from gambol.world import Engine, Timing, World, start


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    with restored(ACTUATORS):
        yield


def test_a_path_over_points_turns_joints_by_its_moment_arms():
    """A spring between a point of the world and one of the wheel, by at.kinematics: its torque is -dE/dq."""

    @dataclass(frozen=True)
    class Cord(Actuator):
        kind: ClassVar[str] = "mylab cord"
        stiffness: float
        joints: tuple[str, ...] = ()

        def force(self, numbers: Any, at: Any) -> list[Any]:
            def energy(q: list[Any]) -> list[Any]:
                return [self.energy(numbers, replace(at, q=q, v=[0.0]))]

            return [-jvp(energy, list(at.q), [1.0])[1][0]]

        def energy(self, numbers: Any, at: Any) -> Any:
            gap = at.kinematics.point_position(1, Vector(0.1, 0.0, 0.0)) - Vector(0.3, 0.2, 0.0)
            return 0.5 * numbers["stiffness"] * gap.dot(gap)

        def supply(self, numbers: Any, at: Any) -> float:
            return 0.0

    add_actuator(Cord)
    for contact, method in (("penalty", "rk4"), ("stepping", "rk4")):
        drive = Drive(ConstantPattern(()), {"wheel": Cord(50.0)})
        world = World(wheel(), controller=drive, contact=contact, timing=Timing(0.01, 1e-3, method))
        engine, state = Engine(world), start(world)
        then = moved(engine, state, 0.2)
        # energy: I w^2 / 2 = k r . (p(q) - p(0)), as |p| is constant; r = (0.3, 0.2), |p| = 0.1
        q, w = float(then.q[0, 0]), float(then.v[0, 0])
        gained = 50.0 * 0.1 * (0.3 * (math.cos(q) - 1.0) + 0.2 * math.sin(q))
        np.testing.assert_allclose(0.5 * 0.02 * w * w, gained, rtol=1e-8 if contact == "penalty" else 0.05)
        close = 1e-9 if contact == "penalty" else 5e-2 * gained
        np.testing.assert_allclose(energy_balance(engine, then), energy_balance(engine, state), atol=close)


@dataclass(frozen=True)
class Band(Actuator):
    """A linear spring and damper over pulleys on two joints, with stretch s = r1 q1 + r2 q2 and no command."""

    kind: ClassVar[str] = "mylab band"
    stiffness: float
    damping: float
    radii: tuple[float, float]
    joints: tuple[str, ...]

    def along(self, numbers: Any, x: Any) -> Any:
        return numbers["radii"][0] * x[0] + numbers["radii"][1] * x[1]

    def force(self, numbers: Any, at: Any) -> list[Any]:
        pull = numbers["stiffness"] * self.along(numbers, at.q) + numbers["damping"] * self.along(numbers, at.v)
        return [-radius * pull for radius in numbers["radii"]]

    def supply(self, numbers: Any, at: Any) -> float:
        return 0.0

    def heat(self, numbers: Any, at: Any) -> Any:
        return numbers["damping"] * self.along(numbers, at.v) * self.along(numbers, at.v)

    def energy(self, numbers: Any, at: Any) -> Any:
        return 0.5 * numbers["stiffness"] * self.along(numbers, at.q) * self.along(numbers, at.q)


def two_wheels() -> Figure:
    """Wheels of 0.02 and 0.05 kg m2 on two upright axles of a fixed base."""
    axle = Joint("revolute", (0.0, 0.0, 1.0))
    wheels = [Link(name, "base", axle, (), diagonal(1.0, 1.0, 1.0, x)) for name, x in (("a", 0.02), ("b", 0.05))]
    return Figure("wheels", (Link("base", None, Joint("fixed")), *wheels))


def band_world(contact: str, step: float, stiffness: float = 40.0, damping: float = 0.5) -> World:
    add_actuator(Band)
    band = Band(stiffness, damping, (0.3, -0.5), ("a", "b"))
    drive = Drive(ConstantPattern(()), {"band": band})
    return World(two_wheels(), controller=drive, contact=contact, timing=Timing(0.01, step, "rk4"))


@pytest.mark.parametrize(("contact", "order"), [("penalty", 4), ("constraint", 4), ("stepping", 1)])
def test_a_band_between_two_branches_swings_as_an_oscillator(contact: str, order: int):
    """s'' = -(k s + c s') (r1^2 / I1 + r2^2 / I2): by the matrix exponential. The joints are on two branches."""
    inverse_mass = 0.3**2 / 0.02 + 0.5**2 / 0.05
    motion = expm(np.array([[0.0, 1.0], [-40.0 * inverse_mass, -0.5 * inverse_mass]]) * 0.5) @ [0.3 * 0.4, 0.3 * 1.0]
    errors, balances = [], []
    for step in (2e-3, 1e-3):
        engine = Engine(band_world(contact, step))
        begun = start(engine.world, q=[0.4, 0.0], v=[1.0, 0.0])
        state = moved(engine, begun, 0.5)
        stretch = [0.3 * x[0, 0] - 0.5 * x[0, 1] for x in (state.q, state.v)]
        errors.append(np.abs(stretch - motion).max())
        balances.append(abs(float((energy_balance(engine, state) - energy_balance(engine, begun))[0])))
        # a free combination keeps its momentum: the band pulls both wheels by r1 : r2
        np.testing.assert_allclose(
            0.02 * state.v[0, 0] / 0.3 + 0.05 * state.v[0, 1] / 0.5, 0.02 / 0.3, rtol=FREE[order]
        )
    assert errors[0] < {1: 0.05, 4: 1e-5}[order]
    assert 0.75 * 2.0**order < errors[0] / errors[1] < 1.3 * 2.0**order
    lost = float(state.step_state.ledger.damping[0])
    assert lost > 0.0
    assert balances[1] < {1: 0.1, 4: 1e-6}[order] * lost


FREE = {1: 0.05, 4: 1e-12}
"""Relative tolerance of the free momentum: diagonal damping in large steps changes it by an error of first order."""


def test_a_stiff_band_is_stable_in_large_steps():
    """Far beyond the limit of explicit steps: k h^2 / m = 1e4 and c h / m = 1e3. The motion only slows down."""
    world = band_world("stepping", 0.01, stiffness=1e7, damping=1e4)
    engine, state = Engine(world), start(world, q=[0.01, 0.0], v=[3.0, -2.0])
    energies: list[float] = []
    for _ in range(40):
        state = moved(engine, state, 0.01)
        energies.append(0.5 * (0.02 * float(state.v[0, 0]) ** 2 + 0.05 * float(state.v[0, 1]) ** 2))
    assert max(energies) < 0.5 * (0.02 * 9.0 + 0.05 * 4.0) + 0.5 * 1e7 * (0.3 * 0.01) ** 2
    assert energies[-1] < energies[0]
    assert abs(0.3 * state.q[0, 0] - 0.5 * state.q[0, 1]) < 1e-3


def test_the_initial_state_may_follow_from_the_posture():
    @dataclass(frozen=True)
    class Remembering(Actuator):
        kind: ClassVar[str] = "mylab remembering"
        joints: tuple[str, ...] = ()

        def initial_state(self, numbers: Any, at: Any) -> dict[str, Any]:
            return {"length": 2.0 * at.q[0], "speed": at.v[0] + 0.0 * at.q[0]}

        def derivative(self, numbers: Any, at: Any) -> dict[str, Any]:
            return {"length": 0.0, "speed": 0.0}

        def force(self, numbers: Any, at: Any) -> list[Any]:
            return [0.0]

    add_actuator(Remembering)
    world = World(wheel(), controller=Drive(ConstantPattern(()), {"wheel": Remembering()}))
    state = start(world, 3, v=[0.5], jitter=0.1, seed=2)
    stored = state.actuators["wheel"]
    np.testing.assert_array_equal(stored["length"], 2.0 * state.q[:, 0])
    np.testing.assert_array_equal(stored["speed"], [0.5, 0.5, 0.5])
