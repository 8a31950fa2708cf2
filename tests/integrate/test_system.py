"""Charts around a step: velocities and their inverse, accelerations, and a chart for a whole motion."""

import numpy as np
from motions import SPUN, body, spring
from scipy.spatial.transform import Rotation

from gambol.integrate.system import Chart, MotionState


def test_velocities_are_converted_and_back():
    system = body()
    u = system.chart_velocity(SPUN.q, SPUN.v)
    np.testing.assert_allclose(system.velocity(SPUN.q, u), SPUN.v, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(u), np.linalg.norm(SPUN.v), rtol=1e-15)


def test_a_body_that_turns_and_flies_has_no_acceleration_in_its_chart():
    """Its velocity in its own axes changes by v x omega; the rate of its position in the world does not."""
    turned = MotionState([0.6, 0.0, 0.8, 0.0, 1.0, 2.0, 3.0], SPUN.v)
    a, _ = body().derivatives(0.0, turned.q, turned.v)
    assert np.linalg.norm(a[3:]) > 0.1
    np.testing.assert_allclose(body().chart_acceleration(turned.q, turned.v, a)[3:], np.zeros(3), atol=1e-15)
    np.testing.assert_allclose(body().chart_acceleration(turned.q, turned.v, a)[:3], a[:3], atol=1e-15)


def test_a_move_is_a_rotation_vector_and_a_way():
    chart = Chart(body(), SPUN)
    x = [0.3, -0.2, 0.9, 1.0, 2.0, 3.0]
    q = chart.state([*x, *SPUN.v]).q
    expected = Rotation.from_quat(SPUN.q[:4], scalar_first=True) * Rotation.from_rotvec(x[:3])
    np.testing.assert_allclose(q[:4], expected.as_quat(scalar_first=True), atol=1e-15)
    np.testing.assert_allclose(q[4:], np.add(SPUN.q[4:], x[3:]), atol=1e-15)


def test_what_accumulates_is_carried_but_not_judged():
    now = MotionState([0.0], [1.0], [5.0])
    chart = Chart(spring(), now)
    assert chart.start == [0.0, 1.0, 5.0]
    assert chart.step_result([0.1, 1.1, 5.5], [1e-3, 1e-4, 9.0]).error == [1e-3, 1e-4]
