"""Parts that assemble themselves by descent of energies: gradients, decay, closed forms of geometry, what is unmet."""

from typing import Any

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.dynamics.loops import assembled
from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Closure, Cylinder, Ellipsoid, Figure, Joint, Link, Part, Sphere
from gambol.plan.assembly import (
    CurveConstraint,
    Separation,
    SurfaceConstraint,
    assemble_by_energy,
    loose_parts,
)
from gambol.plan.assembly.surfaces import signed_distance
from gambol.plan.pose import OrientationGoal, PointGoal
from gambol.spatial import Vector, catmull_rom


def loose(*parts: Part) -> Figure:
    """One free link for each part."""
    links = [Link(f"p{k}", "floor", Joint("free"), (part,)) for k, part in enumerate(parts)]
    return Figure("loose", (Link("floor", None, Joint("fixed")), *links))


def random_starts(worlds: int, parts: int, seed: int = 0) -> np.ndarray:
    q = np.random.default_rng(seed).normal(size=(worlds, parts, 7))
    q[..., :4] /= np.linalg.norm(q[..., :4], axis=-1, keepdims=True)
    return q.reshape(worlds, -1)


def test_a_single_point_approaches_its_goal_exponentially():
    """E = |x|^2 / 2, so x' = -x: the distance is that of the start times e^-t."""
    figure = loose(Part(Sphere(0.5)))
    q = random_starts(3, 1)
    descent = assemble_by_energy(figure, q, [PointGoal("p0", (0.0, 0.0, 0.0))], duration=6.0, frames=60)
    expected = descent.deviations[0] * np.exp(-descent.times)[:, None, None]
    np.testing.assert_allclose(descent.deviations, expected, atol=2e-3)  # of steps with errors of 1e-4


def test_a_chain_assembles_itself_from_any_start_and_energies_fall():
    chain = [Link("a0", None, Joint("free"), (Part(Capsule(0.1, 0.8)),))]
    chain += [
        Link(f"a{k}", f"a{k - 1}", Joint("spherical", position=(0.0, 0.0, 1.0)), (Part(Capsule(0.1, 0.8)),))
        for k in range(1, 4)
    ]
    figure, constraints = loose_parts(Figure("chain", tuple(chain)))
    descent = assemble_by_energy(figure, random_starts(8, 4), constraints, duration=30.0)
    assert descent.assembled.all()
    assert (np.diff(descent.energies.sum(axis=2), axis=0) <= 1e-9).all()
    ends = descent.q[-1].reshape(8, 4, 7)
    for world in ends:
        state = kinematics(figure, world.ravel().tolist(), [0.0] * figure.nv)
        tips = [[*(state.poses[k] @ Vector(0.0, 0.0, 1.0))] for k in (2, 3, 4)]
        np.testing.assert_allclose(tips, world[1:, 4:], atol=1e-3)
    film = descent.film()
    assert film.worlds == 8
    assert film.signals["energies"].shape == descent.energies.shape


def test_a_closed_linkage_assembles_itself_from_any_start():
    """Of 64 starts all arrive; every joint is closed, and both nails are held, by the ends of the rods in the world.

    The slowest pass near a pose in which the rods lie in a line, where the energy is nearly level. An error of 1e-4 in
    each of 19 gaps of up to 1e-2 is one of 2e-5 in the energy, where it does not fall by itself.
    """
    y, rods = (0.0, 1.0, 0.0), (0.4, 1.0, 0.7)
    links = [Link("rod 0", None, Joint("revolute", y), (Part(Capsule(0.02, 0.3)),))]
    for k, length in enumerate(rods[:-1], 1):
        joint = Joint("revolute", y, position=(length, 0.0, 0.0))
        links.append(Link(f"rod {k}", f"rod {k - 1}", joint, (Part(Capsule(0.02, 0.3)),)))
    nail = Closure("point", "rod 2", None, position=(0.7, 0.0, 0.0), other_position=(0.8, 0.0, 0.0))
    linkage = Figure("linkage", tuple(links), constraints=(nail,))
    parts, constraints = loose_parts(linkage, assembled(linkage, [1.2, -1.2, 1.5]))
    descent = assemble_by_energy(parts, random_starts(64, 3, seed=4), constraints, duration=2000.0)
    assert descent.assembled.all()
    assert (np.diff(descent.energies.sum(axis=2), axis=0) <= 2e-5).all()
    for world in descent.q[-1]:
        state = kinematics(parts, world.tolist(), [0.0] * parts.nv)
        origins = [[*state.poses[k].position] for k in (2, 3, 4)]
        ends = [[*(state.poses[k] @ Vector(length, 0.0, 0.0))] for k, length in zip((2, 3, 4), rods, strict=True)]
        np.testing.assert_allclose(origins, [[0.0, 0.0, 0.0], *ends[:-1]], atol=1e-3)
        np.testing.assert_allclose(ends[-1], [0.8, 0.0, 0.0], atol=1e-3)


def test_a_point_finds_its_nearest_place_on_a_curve():
    """One that floats: it arrives on the curve, and the rest of its coordinates are kept."""
    curve = catmull_rom([(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)])
    figure = loose(Part(Sphere(0.5)))
    descent = assemble_by_energy(figure, random_starts(4, 1), [CurveConstraint("p0", curve)], duration=60.0)
    assert descent.assembled.all()
    points = curve.derivatives(np.linspace(0.0, 1.0, 4001))[0]
    for place in descent.q[-1, :, 4:]:
        assert np.linalg.norm(points - place, axis=1).min() < 2e-3
    np.testing.assert_allclose(descent.q[-1, :, :4], descent.q[0, :, :4], atol=1e-9)


def test_two_surfaces_touch_with_opposite_normals():
    """A ball of radius 0.3 on an ellipsoid: the distance of its centre from the surface is 0.3."""
    figure = loose(Part(Sphere(0.3)), Part(Ellipsoid((0.8, 0.5, 0.4))))
    descent = assemble_by_energy(
        figure, random_starts(4, 2, seed=3), [SurfaceConstraint("p0", "p1")], duration=100.0, tolerance=1e-5
    )
    assert descent.assembled.all()
    for world in descent.q[-1]:
        state = kinematics(figure, world.tolist(), [0.0] * figure.nv)
        centre = state.poses[3].inverse @ state.poses[2].position
        angles = np.stack(np.meshgrid(np.linspace(0, np.pi, 400), np.linspace(0, 2 * np.pi, 800)), axis=-1)
        t, f = angles[..., 0], angles[..., 1]
        surface = np.stack([0.8 * np.sin(t) * np.cos(f), 0.5 * np.sin(t) * np.sin(f), 0.4 * np.cos(t)], axis=-1)
        assert np.linalg.norm(surface - [*centre], axis=-1).min() == pytest.approx(0.3, abs=5e-3)


def test_parts_that_overlap_come_apart_and_others_stay():
    figure = loose(Part(Sphere(0.5)), Part(Box((1.0, 1.0, 1.0))))
    q = np.tile([1.0, 0, 0, 0, 0, 0, 0], (2, 2))
    q[0, 4:7] = (0.8, 0.0, 0.1)
    q[1, 4:7] = (1.5, 0.0, 0.0)
    descent = assemble_by_energy(figure, q, [Separation("p0", "p1")], duration=40.0)
    assert descent.deviations[0, 0, 0] == pytest.approx(0.2, abs=1e-12)
    assert descent.deviations[-1].max() < 1e-3
    np.testing.assert_array_equal(descent.q[-1, 1], q[1])


def test_unmet_constraints_are_reported_and_share_the_error_by_weight():
    """Two goals 3 m apart for one point, of weights 1 and 2: it comes to rest a third of the way from the second."""
    figure = loose(Part(Sphere(0.5)))
    goals = [PointGoal("p0", (0.0, 0, 0)), PointGoal("p0", (3.0, 0, 0), weight=2.0), OrientationGoal("p0")]
    descent = assemble_by_energy(figure, random_starts(1, 1), goals, duration=20.0)
    assert not descent.assembled[0]
    np.testing.assert_allclose(descent.q[-1, 0, 4:], [2.0, 0.0, 0.0], atol=1e-3)
    reported = descent.unmet()
    assert len(reported) == 2
    assert "off by 2 m" in reported[0]
    assert "0 of 1 starts" in str(descent)


SOLIDS: list[tuple[Any, Any]] = [
    (Sphere(0.5), lambda p: np.linalg.norm(p, axis=1) - 0.5),
    (Box((1.0, 2.0, 3.0)), None),
    (Capsule(0.3, 1.0), None),
    (Cylinder(0.4, 1.2), None),
]


@pytest.mark.parametrize(("shape", "closed_form"), SOLIDS)
def test_signed_distances_have_gradients_of_length_one(shape: Any, closed_form: Any):
    """The eikonal equation, by central differences; they are exact distances."""
    rng, h = np.random.default_rng(0), 1e-6
    part = Part(shape, position=(0.1, 0.2, 0.3))
    for p in rng.normal(size=(40, 3)):
        at = lambda x: float(signed_distance(part, Vector(*x)))  # noqa: E731
        gradient = [(at(p + h * e) - at(p - h * e)) / (2.0 * h) for e in np.eye(3)]
        assert np.linalg.norm(gradient) == pytest.approx(1.0, abs=1e-6)
        if closed_form:
            assert at(p) == pytest.approx(closed_form(p[None] - [0.1, 0.2, 0.3])[0], abs=1e-12)


def test_bad_input_is_an_error():
    figure = loose(Part(Sphere(0.5)))
    with pytest.raises(GambolError, match="positive duration"):
        assemble_by_energy(figure, random_starts(1, 1), [PointGoal("p0", (0, 0, 0))], duration=0.0)
    with pytest.raises(GambolError, match="did you mean"):
        assemble_by_energy(figure, random_starts(1, 1), [PointGoal("p9", (0, 0, 0))])
