"""Real robots hold a pose on the ground; those that take long to compile are slow tests."""

import numpy as np
import pytest

import gambol
from benchmarks.robots import robot
from gambol.creatures.holding import held_model
from gambol.creatures.holding.support import support_of
from gambol.figure.parameters import extent
from gambol.formats import Model, read_mjcf, read_urdf


def model_of(name: str) -> Model:
    one = robot(name)
    return read_mjcf(one.path) if one.path.suffix == ".xml" else read_urdf(one.path, "free", visuals=False)


def check_that_it_stands(model: Model) -> None:
    """A quarter of the weight pushes it for a tenth of a second; then it stands as before, on feet that carry it."""
    weight = model.figure.mass * 9.81
    push = gambol.Push((0.0, 0.25 * weight, 0.0), 1.0, 1.1)
    world = gambol.make_world(model, hold=True, external=gambol.External(push=push))
    film = gambol.run(world, gambol.start(world), 5.0, rate=20.0, contacts=True)
    seen = film.contacts(len(film.time) - 1)
    np.testing.assert_allclose(seen.force.sum(axis=0), [0.0, 0.0, weight], atol=1e-3 * weight)
    height = film.position[:, 0, 0, 2]
    assert height[0] - height[-1] < 0.01 * height[0]
    assert film.quaternion[-1, 0, 0, 0] > 0.999 * film.quaternion[0, 0, 0, 0]


def test_an_ant_of_gymnasium_stands():
    check_that_it_stands(model_of("ant"))


def test_go2_whose_knees_cannot_be_straight_has_bent_legs():
    model = model_of("Go2")
    held = held_model(model)
    figure, q = held.model.figure, np.array(held.model.q)
    support = support_of(figure, q, extent(figure))
    assert sorted(support.links) == ["FL_foot", "FR_foot", "RL_foot", "RR_foot"]
    assert support.margin(q) > 0.9 * support.best_margin(q)
    assert np.abs(q[7::3]).max() < 1e-2  # hips stay
    assert (q[9::3] <= -0.83).all()
    assert {held.controller.actuators[motor.name].strength for motor in model.motors} == {23.7, 45.43}


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::gambol.collide.broad.allowed.RestOverlapWarning"
)  # ANYmal's thighs overlap its base
@pytest.mark.parametrize("name", ["Go2", "ANYmal B", "A1"])
def test_robots_stand(name: str):
    check_that_it_stands(model_of(name))
