"""Dragged figures: the same as dragged points where links are rods, and feet that stay."""

import numpy as np
import pytest

import gambol
from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.figure import JOINTS, Figure, Joint, Link, MassProperties
from gambol.plan.path import reposition
from gambol.plan.pose import PointGoal, reposition_figure
from gambol.spatial import Vector

ROD = MassProperties(
    1.0, (1.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))
)  # its mass at its far end


def chain(count: int, joint: str = "spherical", root: str = "free") -> Figure:
    """Rods of 1 m along x, end to end."""
    links = [Link("r0", None, Joint(root), (), ROD)]
    links += [Link(f"r{k}", f"r{k - 1}", Joint(joint, position=(1.0, 0.0, 0.0)), (), ROD) for k in range(1, count)]
    return Figure("chain", tuple(links))


def ends(figure: Figure, q: np.ndarray) -> np.ndarray:
    """Return the joints of a chain, and its far end: (links + 1, 3)."""
    state = kinematics(figure, q.tolist(), [0.0] * figure.nv)
    points = [state.point_position(link.index, Vector(0.0, 0.0, 0.0)) for link in figure.links]
    points.append(state.point_position(figure.links[-1].index, Vector(1.0, 0.0, 0.0)))
    return np.array([[float(x) for x in point] for point in points])


def rest(figure: Figure) -> np.ndarray:
    return np.array([x for link in figure.links for x in JOINTS[link.joint.kind].rest])


def test_a_chain_of_rods_follows_its_head_as_its_points_do():
    figure = chain(5)
    place = (0.1, 0.5, 0.2)
    found = reposition_figure(figure, rest(figure), PointGoal("r0", place))
    points = reposition(ends(figure, rest(figure)), [(k, k + 1) for k in range(5)], {0: place}).points
    assert found.reached
    np.testing.assert_allclose(ends(figure, found.q), points, atol=1e-9)


def test_a_chain_follows_its_middle_in_both_directions():
    """The grabbed rod has two joints that lead on: they stay as near as a rod of its length can bring them."""
    figure = chain(5)
    found = reposition_figure(figure, rest(figure), PointGoal("r2", (2.5, 1.0, 0.0), (0.5, 0.0, 0.0)))
    moved = np.linalg.norm(ends(figure, found.q) - ends(figure, rest(figure)), axis=1)
    assert found.reached
    np.testing.assert_allclose(moved[1:5], moved[4:0:-1], atol=1e-9)  # as symmetric as the chain
    assert moved[5] < moved[4] < moved[3]  # what is farther moves less
    np.testing.assert_allclose(moved[2:4], 1.0, atol=1e-9)  # the rod itself is lifted straight


def test_a_chain_with_a_fixed_end_is_mended():
    figure = chain(4, root="spherical")
    found = reposition_figure(figure, rest(figure), PointGoal("r3", (1.5, 1.5, 1.0), (1.0, 0.0, 0.0)))
    points = ends(figure, found.q)
    assert found.reached
    np.testing.assert_allclose(points[[0, -1]], [[0, 0, 0], [1.5, 1.5, 1.0]], atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(np.diff(points, axis=0), axis=1), 1.0, rtol=1e-12)


def test_the_roach_leans_over_its_feet_when_its_thorax_is_dragged():
    """By 1 mm to the side and forward; six feet stay within the tolerance of goals, 1e-5 of its length."""
    creature = gambol.roach()
    world = gambol.make_world(creature)
    figure, q = world.figure, gambol.start(world).q[0]
    state = kinematics(figure, q.tolist(), [0.0] * figure.nv)

    def place(name: str, point: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        return np.array([float(x) for x in state.point_position(figure.link(name).index, Vector(*point))])

    feet = [(leg.links[-1], figure.link(leg.links[-1]).contact_points()[-1].position) for leg in creature.legs]
    held = [PointGoal(name, tuple(place(name, point)), point) for name, point in feet]
    target = place("thorax") + np.array([1e-3, 1e-3, 0.0])
    found = reposition_figure(world, q, PointGoal("thorax", tuple(target)), held=held)
    assert found.reached, str(found)
    assert np.abs(found.q[4:6] - q[4:6]).max() > 5e-4  # the abdomen follows


def test_what_cannot_be_dragged_is_an_error():
    figure = chain(2)
    with pytest.raises(GambolError, match="one place in the world"):
        reposition_figure(figure, rest(figure), PointGoal("r0", (0, 0, 0), other="r1"))
    with pytest.raises(GambolError, match='did you mean "r1"'):
        reposition_figure(figure, rest(figure), PointGoal("r7", (0, 0, 0)))
