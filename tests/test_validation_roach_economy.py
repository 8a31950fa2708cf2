"""The economy of the roach: damper by damper, beside the ledger of the run and the work of animals' muscles."""

import numpy as np
import pytest

from gambol.creatures import roach
from gambol.creatures.gait_metrics import strides
from gambol.figure.springs import resolve_springs
from validation.roach_economy import (
    SETTLED,
    damper_losses,
    driven_jacobian,
    economy,
    foot_dampings,
    muscle_work,
    walk,
)


@pytest.fixture(scope="module")
def cockroach():
    return roach("cockroach")


def test_the_losses_of_all_dampers_are_those_of_the_ledger(cockroach):
    """The ledger integrates within the steps of the integrator; here speeds at 1200 frames/s are squared and summed.

    A joint that vibrates at f Hz adds an alternating part at 2 f, whose sum over n frames of whole strides is below one
    frame's power: 1 / n of it, with n = 960 frames. Tarsi that land change their speed within a frame, and take 1 %.
    """
    film, world = walk(cockroach)
    edges = strides(film, world, settled=SETTLED).edges
    a, b = int(edges[0]), int(edges[-1])
    centre, damping = film.signals["centre"][:, 0, :2], film.signals["damping"][:, 0]
    weight_times_distance = 9.81 * cockroach.figure.mass * np.hypot(*(centre[b] - centre[a]))
    summed = sum(map(sum, damper_losses(cockroach, film, world).values()))
    assert summed == pytest.approx((damping[b] - damping[a]) / weight_times_distance, rel=0.01)


def test_no_rates_of_the_joints_move_a_foot_with_less_power(cockroach):
    """Of all rates with J w = u, those of the formula have the least power: any other has more."""
    rng, springs = np.random.default_rng(0), resolve_springs(cockroach.figure, cockroach.springs)
    for leg in cockroach.legs:
        joints, J = driven_jacobian(cockroach, leg)
        b = np.array([springs[joint][0].damping for joint in joints])
        standing, stepping = foot_dampings(cockroach, leg)
        for w in rng.standard_normal((200, len(joints))):
            u = J @ w
            assert b @ w**2 >= stepping * u[0] ** 2 * (1.0 - 1e-12)
        w = np.linalg.solve(J, [-0.1, 0.0, 0.0])  # three joints: only one way to move along the ground
        assert b @ w**2 == pytest.approx(standing * 0.01, rel=1e-9)
        assert standing >= stepping


def test_the_set_cockroach_works_as_muscles_of_animals_do_and_the_tuned_set_more(cockroach):
    """Metabolic cost of insects [Full, Zuccarello and Tullis 1990] times the efficiency of insect muscle."""
    found, work = economy(cockroach), muscle_work().values()
    least, most = min(low for low, _ in work), max(high for _, high in work)
    assert least < 9.81 * found.forces.motor_cost < most
    assert least < 9.81 * found.forces.positive_motor_cost < most
    assert 9.81 * economy(roach()).forces.motor_cost > most
    assert found.least < sum(map(sum, found.losses.values()))
