"""Plans with known answers, and plans of figures that jump and walk, by name."""

from collections.abc import Callable

from gambol.plan.motion import Plan
from gambol.plan.problems.classics import acrobot, block_move, cart_pole, particle_flight, pendulum
from gambol.plan.problems.jumpers import hopper, hopper_leap, lamp, lamp_jump
from gambol.plan.problems.quadruped import quadruped, quadruped_jump, quadruped_trot
from gambol.plan.problems.rigid_body import single_rigid_body, single_rigid_body_trot

PROBLEMS: dict[str, Callable[[], Plan]] = {
    "block move": block_move,
    "particle flight": particle_flight,
    "cart-pole": cart_pole,
    "pendulum": pendulum,
    "acrobot": acrobot,
    "lamp jump": lamp_jump,
    "hopper leap": hopper_leap,
    "quadruped jump": quadruped_jump,
    "quadruped trot": quadruped_trot,
    "trot of a single rigid body": single_rigid_body_trot,
}
"""The named problems."""

__all__ = [
    "PROBLEMS",
    "acrobot",
    "block_move",
    "cart_pole",
    "hopper",
    "hopper_leap",
    "lamp",
    "lamp_jump",
    "particle_flight",
    "pendulum",
    "quadruped",
    "quadruped_jump",
    "quadruped_trot",
    "single_rigid_body",
    "single_rigid_body_trot",
]
