"""Half a stride and its mirror image, against the mirror image of the places of all links."""

import numpy as np

from gambol.dynamics import kinematics
from gambol.dynamics.tangent import normalised
from gambol.plan import Trajectory
from gambol.plan.motion.transcription.mirror import state_map
from gambol.plan.problems import quadruped_trot
from gambol.plan.track.interpolation import columns
from gambol.plan.track.stride import whole_stride

MIRROR = np.array([1.0, -1.0, 1.0])
TRAVEL = 0.2  # m


def half_stride() -> Trajectory:
    """A motion of the quadruped with random numbers, whose end is the mirror image of its start, moved along x."""
    plan, random = quadruped_trot(), np.random.default_rng(4)
    figure, mapped = plan.figure, state_map(plan.figure, plan.cycle)
    q = np.array([normalised(figure, random.normal(size=figure.nq).tolist()) for _ in range(5)], float)
    q[-1] = mapped.positions(q[0].tolist())
    q[-1, 4] += TRAVEL
    v, torques = random.normal(size=(2, 5, figure.nv))
    contacts = plan.phases[0].contacts
    points, forces = random.normal(size=(2, 5, len(contacts), 3))
    return Trajectory(figure, np.linspace(0.0, 0.25, 5), q, v, torques, contacts, points, forces, 2)


def places(q: np.ndarray, half: Trajectory) -> dict[str, np.ndarray]:
    """Return the positions (N, 3) of all links by name."""
    figure = half.figure
    state = kinematics(figure, list(q.T), [0.0] * figure.nv)
    return {link.name: columns(list(state.poses[link.index].position), len(q)) for link in figure.links}


def test_the_second_half_is_the_mirror_image_of_the_first_further_on():
    plan, half = quadruped_trot(), half_stride()
    whole, points = whole_stride(plan, half)
    np.testing.assert_allclose(whole.times, [*half.times, *(half.times + 0.25)])
    first, second = places(whole.q[:5], half), places(whole.q[5:], half)
    partner = dict(plan.cycle.pairs) | {right: left for left, right in plan.cycle.pairs}
    for name, place in first.items():
        image = second[partner.get(name, name)] - (TRAVEL, 0.0, 0.0)
        np.testing.assert_allclose(image, place * MIRROR, atol=1e-12)
    np.testing.assert_allclose(whole.q[5], half.q[-1], atol=1e-12)  # it goes on where the first half ends
    assert whole.contacts == ("shank front left", "shank hind right", "shank front right", "shank hind left")
    assert [point.name for point in points] == list(whole.contacts)


def test_forces_and_footholds_change_sides():
    plan, half = quadruped_trot(), half_stride()
    whole, _ = whole_stride(plan, half)
    np.testing.assert_array_equal(whole.contact_forces[:5, 2:], 0.0)
    np.testing.assert_array_equal(whole.contact_forces[5:, :2], 0.0)
    np.testing.assert_allclose(whole.contact_forces[5:, 2:], half.contact_forces * MIRROR)
    np.testing.assert_allclose(whole.contact_points[5:, 2:], half.contact_points * MIRROR + (TRAVEL, 0.0, 0.0))


def test_power_is_the_same_in_both_halves():
    """Torques and velocities change sides together, so their product is that of the partner."""
    whole, _ = whole_stride(quadruped_trot(), half_stride())
    power = np.sum(whole.torques * whole.v, axis=1)
    np.testing.assert_allclose(power[5:], power[:5], atol=1e-12)
