"""Controllers that were evolved here reach the same speed in MuJoCo."""

import numpy as np
import pytest

from gambol.control import Senses
from gambol.dynamics import kinematics
from validation.bars.body import BODIES
from validation.bars.comparison import MIN_SPEED_RATIO, compare_speeds
from validation.bars.evolving import evolve
from validation.bars.peer import model_of, mujoco_qpos
from validation.bars.stored import StoredController, load_controller

FINE = 0.005  # s
MIN_SPEED = {"swimmer": 0.3}
"""Required speeds in gambol that differ from 1 m/s."""


@pytest.fixture(params=BODIES)
def controller(request: pytest.FixtureRequest) -> StoredController:
    return load_controller(request.param)


@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_a_creature_has_the_same_speed_in_mujoco(controller: StoredController) -> None:
    found = compare_speeds(controller, starts=1, steps=(0.01, FINE), seconds=6.0)
    assert found.gambol[0] > MIN_SPEED.get(controller.body, 1.0)
    assert found.speed_ratio(0.01)[0] >= MIN_SPEED_RATIO
    assert found.speed_ratio(FINE)[0] >= MIN_SPEED_RATIO


def test_both_engines_have_the_same_body_in_the_same_initial_state(controller: StoredController) -> None:
    """Masses, and centres of mass of all links with mass, from MuJoCo's kinematics."""
    import mujoco

    body = controller.gymnasium_body
    figure, model = body.model.figure, model_of(body.path)
    data = mujoco.MjData(model)
    data.qpos[:] = mujoco_qpos(body, body.q)
    mujoco.mj_forward(model, data)
    state = kinematics(figure, body.q.tolist(), [0.0] * figure.nv)
    ours = [state.point_position(l.index, _vector(l)) for l in figure.links if l.mass_properties.mass > 0.0]
    assert np.array([list(p) for p in ours]) == pytest.approx(data.xipos[1:], abs=1e-9)
    assert model.body_mass[1:].sum() == pytest.approx(figure.mass)
    assert model.actuator_gear[:, 0].tolist() == list(body.gears.values())


def test_a_swimmer_is_evolved_without_ground_or_feet():
    """One generation finds a pattern that moves, the same on every run."""
    first, again = (evolve(BODIES["swimmer"], seed=3, generations=1) for _ in range(2))
    assert first.fitness > 0.0
    assert (first.genes, first.fitness) == (again.genes, again.fitness)


def test_the_left_legs_of_the_ant_mirror_the_right_ones_half_a_cycle_later() -> None:
    one = load_controller("ant")
    pattern, body = one.pattern, one.gymnasium_body
    numbers, cycle = pattern.numbers(), 1.0 / pattern.frequency
    early, late = (pattern.signals(numbers, (), Senses(t), t, 0.0)[0] for t in (3.3 * cycle, 3.8 * cycle))
    names = list(body.gears)
    for twin, (source, against) in body.delayed.items():
        sign = -1.0 if against else 1.0
        assert late[names.index(source)] == pytest.approx(sign * early[names.index(twin)], abs=1e-9)


def _vector(link):
    from gambol.spatial import Vector

    return Vector(*link.mass_properties.com)
