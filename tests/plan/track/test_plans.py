"""Solved plans in both simulators: the same controller, no other force than those of the world."""

from pathlib import Path

import pytest
from mujoco_tracking import mujoco_tracking_error

from gambol.plan import PlanResult, solve
from gambol.plan.file import TrackingOptions, read_plan
from gambol.plan.track import track, tracking_task

EXAMPLES = Path(__file__).parents[3] / "examples" / "plans"
WANTED = 0.05  # of the amplitude


def solved(name: str) -> tuple[PlanResult, TrackingOptions]:
    file = read_plan(EXAMPLES / f"{name}.toml")
    result = solve(file.plan)
    assert result.solved, result.message
    return result, file.tracking


@pytest.mark.parametrize("name", ["block", "cartpole", "pendulum"])
def test_a_plan_without_contacts_is_followed(name):
    result, options = solved(name)
    assert track(result, rate=options.rate).error < WANTED
    assert mujoco_tracking_error(tracking_task(result), rate=options.rate) < WANTED


def test_the_hopper_leaps_as_planned():
    """It lands by an impact on the spring of its leg; what MuJoCo's soft ground gives way, it bounces on later."""
    result, options = solved("hopper")
    assert track(result, rate=options.rate).error < WANTED
    assert mujoco_tracking_error(tracking_task(result), rate=options.rate) < 2.0 * WANTED


@pytest.mark.parametrize("name", ["quadruped-trot", pytest.param("quadruped-jump", marks=pytest.mark.slow)])
def test_a_quadruped_does_what_is_planned(name):
    """The trot for as many cycles as its file asks for: it travels, and stays on its path."""
    result, options = solved(name)
    tracking = track(result, cycles=options.cycles)
    assert tracking.error < WANTED
    travel = tracking.simulated.q[-1, 4] - tracking.simulated.q[0, 4]
    assert travel == pytest.approx({"quadruped-trot": 1.2, "quadruped-jump": 0.5}[name], abs=0.02)
    assert mujoco_tracking_error(tracking_task(result), options.cycles) < WANTED
