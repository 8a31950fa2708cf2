"""Control laws: commands in their own units, memory, and a law that computes with the world's numbers."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from drives import wheel

from gambol.actuation import Servo, TorqueMotor
from gambol.control import FeedbackController, Senses
from gambol.errors import WorldError
from gambol.lanes import Scalar
from gambol.world import Timing, World, start, step

DT, INERTIA = 0.001, 0.02


@dataclass(frozen=True)
class Spring:
    """A law that is a spring and a damper; it counts its control steps."""

    stiffness: float
    damping: float
    required_senses: tuple[str, ...] = ("q", "v")

    def numbers(self) -> dict[str, Any]:
        return {"stiffness": self.stiffness, "damping": self.damping}

    def memory(self) -> Any:
        return [0.0]

    def commands(self, numbers: Any, memory: Any, senses: Senses, dt: Scalar) -> tuple[list[Scalar], Any]:
        tau = -(numbers["stiffness"] * senses.q[0] + numbers["damping"] * senses.v[0])
        return [tau], [memory[0] + 1.0]

    def structure(self) -> tuple[Any, ...]:
        return ()


def test_a_sampled_spring_oscillates_as_the_difference_equation_predicts():
    """Torques are held in a control step: v' = v + h tau / I, q' = q + h (v + v') / 2, and its closed form."""
    k, c, steps = 3.0, 0.2, 50
    controller = FeedbackController(Spring(k, c), {"wheel": TorqueMotor(-9.0, 9.0)})
    world = World(wheel(INERTIA), controller=controller, contact="penalty", timing=Timing(DT, DT, "rk4"))
    state = start(world, q=[0.4])
    for _ in range(steps):
        state = step(world, state)
    change = DT / INERTIA * np.array([k, c])  # of the speed, per q and v
    A = np.array([[1.0, DT], [0.0, 1.0]]) - np.outer([0.5 * DT, 1.0], change)
    expected = np.linalg.matrix_power(A, steps) @ [0.4, 0.0]
    np.testing.assert_allclose([state.q[0, 0], state.v[0, 0]], expected, rtol=1e-12)
    assert state.step_state.memory.control.inner[0] == float(steps)


def test_servo_targets_begin_at_the_first_command():
    controller = FeedbackController(Spring(-1.0, 0.0), {"wheel": Servo(-9.0, 9.0, stiffness=1.0)})
    memory = controller.decide(controller.numbers(), controller.memory(), Senses(0.0, q=[0.5], v=[0.0]), 0.1)
    assert controller.commands(memory, "wheel", 0.07) == [0.5]
    memory = controller.advanced(memory, 0.1)
    memory = controller.decide(controller.numbers(), memory, Senses(0.1, q=[0.7], v=[0.0]), 0.1)
    assert controller.commands(memory, "wheel", 0.05)[0] == pytest.approx(0.6)


def test_a_law_needs_one_command_for_each_of_the_actuators():
    motors = {"a": TorqueMotor(-1.0, 1.0), "b": TorqueMotor(-1.0, 1.0)}
    controller = FeedbackController(Spring(1.0, 1.0), motors)
    with pytest.raises(WorldError, match="1 commands were given; 2 actuators have 2 commands"):
        controller.decide(controller.numbers(), controller.memory(), Senses(0.0, q=[math.pi], v=[0.0]), 0.1)
