"""Controllers that follow motions with known torques, in our simulation and in MuJoCo."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from mujoco_tracking import mujoco_tracking_error, torques
from tracked import DIP, FEET, pushed_cart_pole, quadruped, squat, swing_up

from gambol.control import Senses
from gambol.errors import FigureError, PlanError
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.plan.track import TrackingTask, Weights, track, trajectory_film
from gambol.plan.track.controller import tracking_pattern
from gambol.plan.track.deviation import scales_of, tracking_errors
from gambol.plan.track.linearisation import Surroundings
from gambol.spatial.vector import ZERO
from gambol.world.run import StoppedWarning

MOTIONS = {"swing-up": swing_up, "cart-pole": pushed_cart_pole, "squat": squat}


@pytest.mark.parametrize("name", MOTIONS)
def test_a_motion_is_followed_and_its_energy_is_the_work_of_its_motors(name):
    """Feed-forward of second order at 960 steps/s: errors of some (w h)^2 = (2 pi / 960)^2 = 4e-5, grown by the fall of
    a pole at e^(5 s); 1 % leaves room for that. What the motors did is the change of energy.
    """
    tracking = track(MOTIONS[name]())
    assert tracking.error < 0.01
    assert tracking.error == max(tracking.errors.values())
    film = tracking.film
    energy = film.signals["kinetic"] + film.signals["potential"]
    motors = np.ptp(film.signals["motors"])
    assert abs(film.signals["unaccounted"]).max() < 1e-3 * max(motors, np.ptp(energy))
    assert not film.signals["outside"].any()


@pytest.mark.parametrize("name", MOTIONS)
def test_mujoco_follows_the_same_controller(name):
    """Its contacts give way by a part of the ball's millimetre, 2 % of the squat's depth."""
    assert mujoco_tracking_error(MOTIONS[name]()) < 0.02


def test_the_ground_bears_the_planned_forces():
    """The mean force in a step is that of the plan, but for the change of force within a frame: 2 pi / 240 of it. The
    contacts start without a warm start, and find their forces within ten frames.
    """
    tracking, task = track(squat()), squat()
    film = trajectory_film(task.trajectory, 1.0 / np.diff(tracking.times)[0])
    planned, found = film.signals["contact_forces"][10:, 0], tracking.simulated.contact_forces[10:]
    weight = quadruped().mass * 9.81
    np.testing.assert_allclose(found[..., 2].sum(axis=1), planned[: len(found), :, 2].sum(axis=1), atol=0.03 * weight)
    np.testing.assert_allclose(tracking.simulated.contact_points[..., 2], 0.0, atol=1e-3 * DIP)


def test_without_torque_nothing_is_followed():
    """The pendulum hangs where it began: its deviation is the whole amplitude."""
    tracking = track(replace(swing_up(), limits={"rod": (-1e-6, 1e-6)}))
    assert tracking.error == pytest.approx(1.0, abs=1e-3)


def test_with_less_friction_than_the_motion_needs_its_feet_slide():
    """Feet push inward and outward while the trunk sinks and rises; with a little less friction they leave places."""
    task = squat()
    forces = task.trajectory.contact_forces
    needed = np.max(np.hypot(forces[..., 0], forces[..., 1]) / forces[..., 2])
    feet = np.array(list(FEET.values()))
    slips = [
        np.abs(track(replace(task, friction=factor * needed)).simulated.contact_points[..., :2] - feet).max()
        for factor in (1.1, 0.9)
    ]
    assert slips[0] < 1e-4 * DIP
    assert slips[1] > 1e-2 * DIP


def test_a_simulation_that_stops_has_an_infinite_error():
    """With half the friction and stiff feedback, the legs are torn away."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tracking = track(replace(squat(), friction=0.007), weights=Weights(0.02, 0.1))
    assert any(issubclass(warning.category, StoppedWarning) for warning in caught)
    assert tracking.error == np.inf
    assert tracking.film.duration < 1.0


def test_a_cyclic_motion_repeats():
    tracking = track(replace(squat(), cyclic=True), cycles=3)
    assert tracking.error < 0.01
    assert tracking.film.duration == pytest.approx(3.0, abs=1.0 / 200.0)
    height = tracking.simulated.q[:, 6]
    frames = round(1.0 / np.diff(tracking.times)[0])
    np.testing.assert_allclose(height[frames:], height[:-frames], atol=0.01 * DIP)


@pytest.mark.parametrize("cyclic", [False, True])
def test_the_formula_of_the_controller_is_that_of_arrays(cyclic):
    """At random deviations, in any step, also after the end of the motion."""
    pattern = tracking_pattern(replace(squat(), cyclic=cyclic), 96.0)
    random, reference = np.random.default_rng(0), pattern.reference
    for k in (0, 7, 95, 96, 200):
        q = reference.q[k % 96] + 0.01 * random.normal(size=reference.q.shape[1])
        q[:4] /= np.linalg.norm(q[:4])
        v = random.normal(size=reference.v.shape[1])
        found = pattern.torques(Senses(k * reference.dt, q=q.tolist(), v=v.tolist()))
        expected = torques(pattern, k, q, v)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)
        assert (np.abs(expected) <= 100.0).all()


def test_errors_are_deviations_over_the_amplitude_of_their_group():
    """The cart moves by less than the pole turns: a deviation of the cart counts by metres that it travels."""
    task = pushed_cart_pole()
    scales, q = scales_of(task.trajectory), task.trajectory.q
    travel, turn = np.abs(q - q[0]).max(axis=0)
    deviations = np.array([[0.1 * travel, -0.2 * turn], [0.3 * travel, 0.0]])
    assert tracking_errors(deviations, scales) == pytest.approx({"lengths": 0.3, "angles": 0.2})
    deviations[0, 0] = np.nan
    assert tracking_errors(deviations, scales)["lengths"] == np.inf


def test_the_film_of_a_plan_shows_its_motion_and_its_forces():
    task = squat()
    film = trajectory_film(task.trajectory, 100.0)
    assert len(film.time) == 101
    trunk = film.link_names.index("trunk")
    np.testing.assert_allclose(film.position[50, 0, trunk], (0.0, 0.0, 0.48 - DIP), atol=1e-12)
    weight = quadruped().mass * 9.81
    support = film.signals["contact_forces"][:, 0, :, 2].sum(axis=1)
    assert np.mean(support[:-1]) == pytest.approx(weight, rel=1e-6)  # momentum is the same after the squat
    work = np.diff(film.signals["kinetic"] + film.signals["potential"], axis=0).sum()
    assert work == pytest.approx(0.0, abs=1e-9)


def test_what_cannot_be_followed_is_an_error_before_work():
    task, squatting = swing_up(), squat()
    with pytest.raises(PlanError, match='no joint of "pendulum" has an actuator'):
        replace(task, limits={})
    with pytest.raises(PlanError, match=r'joint of "trunk" is free; .* one freedom only'):
        replace(squatting, limits={"trunk": (-1.0, 1.0)})
    with pytest.raises(PlanError, match="cannot lie between 2 and 1"):
        replace(task, limits={"rod": (2.0, 1.0)})
    with pytest.raises(PlanError, match="0 points of contact, and 1 are given"):
        replace(task, surroundings=Surroundings((PlacedPoint("rod", 1, ZERO),)))
    with pytest.raises(PlanError, match="has no duration"):
        replace(task, trajectory=replace(task.trajectory, times=np.zeros(41)))
    with pytest.raises(PlanError, match="2 cycles are not possible"):
        track(task, cycles=2)
    with pytest.raises(PlanError, match="give a higher rate"):
        track(task, rate=0.1)
    with pytest.raises(FigureError, match='did you mean "rod"'):
        replace(task, limits={"rode": (-1.0, 1.0)})


def test_a_cycle_that_ends_turned_is_an_error():
    task = squat()
    q = task.trajectory.q.copy()
    q[-1, :4] = (np.cos(0.1), 0.0, 0.0, np.sin(0.1))
    turned: TrackingTask = replace(task, trajectory=replace(task.trajectory, q=q), cyclic=True)
    with pytest.raises(PlanError, match='at its end "trunk" is turned'):
        track(turned)
