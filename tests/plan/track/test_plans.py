"""Solved plans in both simulators: the same controller, no other force than those of the world."""

from pathlib import Path

import numpy as np
import pytest
from mujoco_tracking import mujoco_tracking_error

from gambol.cli.plan.figures import FIGURES
from gambol.plan import PlanResult, solve
from gambol.plan.file import TrackingOptions, read_plan
from gambol.plan.track import track, tracking_task

EXAMPLES = Path(__file__).parents[3] / "examples" / "plans"
EXPECTED = 0.05  # of the amplitude


def solved(name: str) -> tuple[PlanResult, TrackingOptions]:
    file = read_plan(EXAMPLES / f"{name}.toml", FIGURES)
    result = solve(file.plan)
    assert result.solved, result.message
    return result, file.tracking


@pytest.mark.parametrize("name", ["block", "cartpole", "pendulum"])
def test_a_plan_without_contacts_is_followed(name):
    result, options = solved(name)
    assert track(result, rate=options.rate).error < EXPECTED
    assert mujoco_tracking_error(tracking_task(result), rate=options.rate) < EXPECTED


def test_the_hopper_leaps_as_planned():
    """It lands by an impact on the spring of its leg; what MuJoCo's soft ground gives way, it bounces on later."""
    result, options = solved("hopper")
    assert track(result, rate=options.rate).error < EXPECTED
    assert mujoco_tracking_error(tracking_task(result), rate=options.rate) < 2.0 * EXPECTED


@pytest.mark.slow
def test_the_lamp_jumps_as_planned():
    """It rolls off over its toe, and lands on its heel at rest, so that no moment of touch-down has to be met."""
    result, options = solved("lamp")
    tracking = track(result, rate=options.rate)
    assert tracking.error < EXPECTED
    assert tracking.simulated.q[-1, 1] - tracking.simulated.q[0, 1] == pytest.approx(0.4, abs=0.01)
    assert mujoco_tracking_error(tracking_task(result), rate=options.rate) < EXPECTED


TRAVELS = {"quadruped-trot": 1.2, "body-trot": 1.2, "quadruped-jump": 0.5}  # m


@pytest.mark.parametrize(
    "name", ["quadruped-trot", "body-trot", pytest.param("quadruped-jump", marks=pytest.mark.slow)]
)
def test_a_quadruped_does_what_is_planned(name):
    """Trots for as many cycles as their files ask for: they travel, and stay on their paths."""
    result, options = solved(name)
    tracking = track(result, cycles=options.cycles)
    assert tracking.error < EXPECTED
    travel = tracking.simulated.q[-1, 4] - tracking.simulated.q[0, 4]
    assert travel == pytest.approx(TRAVELS[name], abs=0.02)
    assert mujoco_tracking_error(tracking_task(result), options.cycles) < EXPECTED


@pytest.mark.slow
def test_the_humanoid_squats_through_its_key_pose():
    """It stands on two balls, so that the controller has to balance it, in both simulations."""
    result, options = solved("humanoid")
    height = result.trajectory.q[:, 6]
    middle = int(np.argmin(np.abs(result.trajectory.times - 0.5)))
    assert height[0] - height[middle] == pytest.approx(0.2, abs=1e-6)
    assert height[-1] == pytest.approx(height[0], abs=1e-6)
    assert track(result, rate=options.rate).error < EXPECTED
    assert mujoco_tracking_error(tracking_task(result), rate=options.rate) < EXPECTED


@pytest.mark.slow
def test_the_roach_passes_its_key_poses_on_its_springs():
    """Its abdomen sinks by 1 mm, and rises by 0.5 mm with the thorax bent by 0.1 rad; its feet stay."""
    result, options = solved("roach")
    motion, simulation = result.trajectory, track(result, rate=options.rate, weights=options.weights)
    at = [int(np.argmin(np.abs(motion.times - time))) for time in (0.3, 0.6)]
    height, thorax = motion.q[:, 6], motion.q[:, result.plan.figure.link("thorax").q.start]
    np.testing.assert_allclose(height[at] - height[0], [-1e-3, 5e-4], atol=1e-8)
    assert thorax[at[1]] - thorax[0] == pytest.approx(-0.1, abs=1e-6)
    slips = np.linalg.norm(motion.contact_points - motion.contact_points[0], axis=2)
    assert slips.max() < 1e-5  # of 2 cm
    assert simulation.error < EXPECTED
    assert np.linalg.norm(simulation.simulated.contact_points - motion.contact_points[0], axis=2).max() < 1e-4
