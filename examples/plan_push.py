"""A pendulum swings up by a plan; a controller of the plan brings it there although it starts off by 3 degrees."""

import math
from dataclasses import replace

import numpy as np

import gambol
from gambol.plan import Mesh, Phase, Plan, Pose, solve
from gambol.plan.track import tracking_pattern, tracking_task, tracking_world

OFF = math.radians(3.0)

rod = gambol.MassProperties(1.0, (0.0, 0.0, -0.5), ((0.02, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.001)))
figure = gambol.Figure("pendulum", (gambol.Link("rod", None, gambol.Joint("revolute", (0.0, 1.0, 0.0)), (), rod),))
still = {"rod": 0.0}
plan = Plan(
    figure,
    (Phase(duration=2.0),),
    torques={"rod": 6.0},  # N m
    start=Pose(positions={"rod": 0.0}, velocities=still),
    goal=Pose(positions={"rod": math.pi}, velocities=still),
    mesh=Mesh(intervals=30),
)
result = solve(plan)
assert result.solved
print(f"cost {result.cost:.3f} (N m)^2 s, {result.iterations} iterations")


def last_angle(gains: float) -> float:
    """Return the angle after the plan, from a start that is off; gains: factor of the feedback."""
    task = tracking_task(result)
    pattern = tracking_pattern(task)
    reference = replace(pattern.reference, gains=gains * pattern.reference.gains)
    world = tracking_world(task, replace(pattern, reference=reference))
    state = gambol.start(world, q=[OFF])
    gambol.run(world, state, 2.0, rate=60.0)
    return float(state.q[0, 0])


followed, alone = last_angle(1.0), last_angle(0.0)
print(f"off at the top by {abs(followed - math.pi):.2e} rad with feedback, by {abs(alone - math.pi):.2f} without")
assert abs(followed - math.pi) < 0.01  # a tenth of the error at the start, and less
assert abs(alone - math.pi) > OFF  # an upright pendulum falls away from its plan
assert np.isfinite(followed)
