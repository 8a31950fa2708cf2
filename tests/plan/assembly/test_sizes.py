"""Sizes of parts as unknowns: closed forms of their descent, parts that grow into place, errors."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part, Sphere
from gambol.figure.figure import extent
from gambol.plan.assembly import SurfaceConstraint, assemble_by_energy
from gambol.plan.pose import AxisGoal, PointGoal

LENGTH, TARGET = 0.5, 0.8  # of a rod, and the place that its tip should reach [m]


def fixed_rod() -> Figure:
    """A rod along x on a fixed base; its tip is a link of its own."""
    rod = Link("rod", None, Joint("fixed"), (Part(Capsule(0.02, 0.4)),))
    return Figure("rod", (rod, Link("tip", "rod", Joint("fixed", position=(LENGTH, 0.0, 0.0)))))


def test_a_rod_grows_to_its_target_as_its_equation_says():
    """With y = L e^s, E = (y - d)^2 / 2 X^2 gives y' = y^2 (d - y) / X^2, solved by partial fractions for the time.

    t = X^2 (F(y) - F(L)),    F(y) = ln(y / (d - y)) / d^2 - 1 / (d y),    X: the extent of the figure
    """
    figure = fixed_rod()
    goals, sizes = [PointGoal("tip", (TARGET, 0.0, 0.0))], {"rod": ("tip.position.x",)}
    descent = assemble_by_energy(figure, [], goals, sizes=sizes, duration=16.0, frames=40, tolerance=1e-9)
    y = LENGTH * descent.factors["rod"][:, 0]

    def primitive(y):
        return np.log(y / (TARGET - y)) / TARGET**2 - 1.0 / (TARGET * y)

    times = extent(figure) ** 2 * (primitive(y) - primitive(LENGTH))
    speed = y**2 * (TARGET - y) / extent(figure) ** 2
    assert (np.abs(times - descent.times) <= 1e-7 / speed).all()  # some 100 steps, with errors of 1e-9 each
    np.testing.assert_allclose(descent.deviations[:, 0, 0], TARGET - y, atol=1e-12)
    assert descent.assembled.all()


def test_parameters_of_one_size_keep_their_proportion():
    """A loose rod is held at both ends: it turns, moves and grows; the capsule is as long as the distance."""
    rod = Link("rod", "floor", Joint("free"), (Part(Capsule(0.02, LENGTH), position=(0.0, 0.0, LENGTH / 2)),))
    tip = Link("tip", "rod", Joint("fixed", position=(0.0, 0.0, LENGTH)))
    figure = Figure("rod", (Link("floor", None, Joint("fixed")), rod, tip))
    a, b = np.array([0.3, -0.2, 0.1]), np.array([-0.5, 0.4, 1.2])
    sizes = {"length": ("rod.part 0.length", "rod.part 0.position.z", "tip.position.z")}
    starts = np.random.default_rng(3).normal(size=(8, 7))
    starts[:, :4] /= np.linalg.norm(starts[:, :4], axis=1, keepdims=True)
    descent = assemble_by_energy(
        figure, starts, [PointGoal("rod", a), PointGoal("tip", b)], sizes=sizes, duration=100.0, tolerance=1e-6
    )
    assert descent.assembled.all()
    assert (np.diff(descent.energies.sum(axis=2), axis=0) <= 1e-9).all()
    distance = np.linalg.norm(b - a)
    np.testing.assert_allclose(descent.factors["length"][-1], distance / LENGTH, rtol=1e-3)
    for start in range(8):
        rod = descent.figure_at(-1, start).link("rod")
        assert rod.parts[0].shape.sizes[1] == pytest.approx(distance, rel=1e-3)
        assert rod.parts[0].position[2] == pytest.approx(distance / 2, rel=1e-3)
        assert rod.parts[0].shape.sizes[0] == 0.02
    film = descent.film(5)
    np.testing.assert_allclose(film.shapes[0].size[1], distance, rtol=1e-3)
    rods = np.linalg.norm(film.position[:, 0, 2] - film.position[:, 0, 1], axis=1)
    np.testing.assert_allclose(rods, LENGTH * descent.factors["length"][:, 5], rtol=1e-12)


def test_legs_of_a_table_grow_down_to_uneven_ground():
    """Each leg hangs at a corner of a fixed slab, and ends upright on the ground: its length is the difference."""
    heights, top = (0.0, 0.1, -0.15, 0.25), 0.9
    slab = Link("slab", None, Joint("fixed", position=(0.0, 0.0, top)), (Part(Box((1.0, 1.0, 0.05))),))
    links, goals, sizes, corners = [slab], [], {}, [(x, y, 0.0) for x in (-0.4, 0.4) for y in (-0.4, 0.4)]
    for k, (corner, height) in enumerate(zip(corners, heights, strict=True)):
        part = Part(Capsule(0.03, LENGTH), position=(0.0, 0.0, -LENGTH / 2))
        links += [Link(f"leg {k}", "slab", Joint("free"), (part,))]
        links += [Link(f"foot {k}", f"leg {k}", Joint("fixed", position=(0.0, 0.0, -LENGTH)))]
        goals += [PointGoal(f"leg {k}", corner, other="slab"), AxisGoal(f"leg {k}", (0.0, 0.0, 1.0), (0.0, 0.0, 1.0))]
        goals += [PointGoal(f"foot {k}", (0.0, 0.0, height), axes="z")]
        sizes[f"leg {k}"] = (f"leg {k}.part 0.length", f"leg {k}.part 0.position.z", f"foot {k}.position.z")
    q = np.random.default_rng(1).normal(size=(4, 7))
    q[:, :4] /= np.linalg.norm(q[:, :4], axis=1, keepdims=True)
    descent = assemble_by_energy(Figure("table", tuple(links)), q.ravel(), goals, sizes=sizes, duration=200.0)
    assert descent.assembled.all(), descent.unmet()
    lengths = [LENGTH * descent.factors[f"leg {k}"][-1, 0] for k in range(4)]
    np.testing.assert_allclose(lengths, top - np.array(heights), atol=2e-3)


def test_a_ball_swells_until_it_touches():
    """The surface of a fixed ball, 0.7 m above the face of a box, meets it with a radius of 0.7 m."""
    box = Link("box", None, Joint("fixed"), (Part(Box((1.0, 1.0, 0.2)), position=(0.0, 0.0, -0.1)),))
    ball = Link("ball", "box", Joint("fixed", position=(0.0, 0.0, 0.7)), (Part(Sphere(0.2)),))
    touch = SurfaceConstraint("ball", "box", start=(0.05, 0.02, 0.1))
    sizes = {"ball": ("ball.part 0.radius",)}
    descent = assemble_by_energy(Figure("ball", (box, ball)), [], [touch], sizes=sizes, duration=200.0)
    assert descent.assembled.all(), descent.unmet()
    assert 0.2 * descent.factors["ball"][-1, 0] == pytest.approx(0.7, abs=2e-3)


BAD_SIZES = {
    "unknown": ({"rod": ("tip.position.w",)}, "did you mean"),
    "zero": ({"rod": ("tip.position.y",)}, "is 0, which no factor changes"),
    "twice": ({"a": ("tip.position.x",), "b": ("tip.position.x",)}, "give it to one of them"),
    "none": ({"rod": ()}, "multiplies no parameter"),
}


@pytest.mark.parametrize(("sizes", "words"), BAD_SIZES.values(), ids=BAD_SIZES.keys())
def test_wrong_sizes_are_errors(sizes, words):
    with pytest.raises(GambolError, match=words):
        assemble_by_energy(fixed_rod(), [], [PointGoal("tip", (TARGET, 0.0, 0.0))], sizes=sizes)
