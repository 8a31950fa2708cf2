"""Bodies of crawlers: their joints, balls on the ground, and impossible forms."""

import numpy as np
import pytest

from gambol.creatures.crawlers import Body, chain_figure
from gambol.creatures.crawlers.body import joint_link, profile
from gambol.dynamics import kinematics
from gambol.errors import WorldError
from gambol.figure import AnisotropicFriction, Figure
from gambol.spatial import Vector

SCALES = AnisotropicFriction(0.1, 0.2, 0.3)
BODY = Body(5, 1.0, profile([(0.0, 0.02), (0.5, 0.05), (1.0, 0.01)]), SCALES, ("yaw", "pitch"))


def centres(figure: Figure, q: list[float]) -> np.ndarray:
    """Return the centres of the balls that touch the ground, from the head [m]."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    links = [figure.link(f"segment_{k}") for k in range(5)]
    parts = [next(part for part in link.parts if part.colliding) for link in links]
    return np.array([list(state.poses[link.index] @ Vector(*p.position)) for link, p in zip(links, parts, strict=True)])


def test_a_straight_body_lies_on_the_ground_with_every_ball():
    figure = chain_figure("chain", BODY)
    q = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, BODY.widest, *[0.0] * (figure.nq - 7)]
    at = centres(figure, q)
    assert np.diff(at[:, 0]) == pytest.approx(np.full(4, -0.2))
    radii = [BODY.radius((k + 0.5) / 5) for k in range(5)]
    assert at[:, 2] == pytest.approx(radii, abs=1e-12)


@pytest.mark.parametrize("number", range(4))
def test_a_positive_yaw_turns_the_front_left_and_a_positive_pitch_down(number: int):
    figure = chain_figure("chain", BODY)
    for kind, component, sign in (("yaw", 1, 1.0), ("pitch", 2, -1.0)):
        q = [1.0, *[0.0] * (figure.nq - 1)]
        q[figure.link(joint_link(BODY, kind, number)).q.start] = 0.1
        state = kinematics(figure, q, [0.0] * figure.nv)
        front, rear = (state.poses[figure.link(f"segment_{k}").index].rotation for k in (number, number + 1))
        forward = rear.transpose @ (front @ Vector(1.0, 0.0, 0.0))
        assert list(forward)[component] == pytest.approx(sign * np.sin(0.1))


def test_the_outline_is_linear_between_points():
    radius = profile([(0.0, 1.0), (0.5, 3.0), (1.0, 2.0)])
    assert [radius(s) for s in (0.0, 0.25, 0.5, 0.75, 1.0)] == pytest.approx([1.0, 2.0, 3.0, 2.5, 2.0])


def test_impossible_bodies_are_refused():
    with pytest.raises(WorldError, match="1 segments"):
        Body(1, 1.0, lambda _: 0.1, SCALES, ("yaw",))
    with pytest.raises(WorldError, match='no joints "roll"'):
        Body(3, 1.0, lambda _: 0.1, SCALES, ("roll",))
