"""Films of scenes: the figure as in a run, and the meshes of the states."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import NoGround, Plane
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.matter.forces import Air, Surroundings
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.scene import MeshPart, Scene, meshes_film, scene_film
from gambol.world import Timing, World, run, start

BALL = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.1)),)),))
H = 1.0 / 240.0
FAR_SHEET = cloth(3, 3, 0.1, ClothMaterial(density=0.1), origin=(5.0, 0.0, 0.0), pins=[(0, 0), (0, 2)])


def test_the_figure_of_a_scene_moves_as_in_a_run_and_its_mesh_as_in_the_states():
    world = World(BALL, ground=NoGround(), timing=Timing(H, H, "rk4"))
    scene = Scene(world, {"sheet": MeshPart(FAR_SHEET, rule=StepRule("implicit euler", H))})
    states = scene.run(scene.start(start(scene.world)), 0.25, every=6)
    film, alone = scene_film(scene, states, colors={"sheet": "#112233"}), run(world, start(world), 0.25, rate=40.0)
    np.testing.assert_allclose(film.time, alone.time, atol=1e-12)
    np.testing.assert_allclose(film.position, alone.position, atol=1e-12)
    np.testing.assert_allclose(film.signals["kinetic"], alone.signals["kinetic"], rtol=1e-12)
    (sheet,) = film.matter
    assert (sheet.name, sheet.color) == ("sheet", "#112233")
    np.testing.assert_allclose(sheet.points[-1], states[-1].meshes["sheet"].position, rtol=1e-6)


def test_triangles_with_a_broken_edge_are_not_drawn():
    weak = ClothMaterial(density=0.2, warp=50.0, weft=50.0, shear=10.0, tears_at=1.05)
    sheet = cloth(5, 5, 0.1, weak, axes=((0.0, 0.0, -1.0), (1.0, 0.0, 0.0)), pins=[(0, 0), (0, 4)])
    stepper = MeshStepper(sheet, Surroundings(air=Air(velocity=(0.0, 15.0, 0.0))), StepRule("implicit euler", H))
    states = [state := stepper.start()]
    states += [state := stepper.advance(state, 10) for _ in range(6)]
    (drawn,) = meshes_film("sheet", {"sheet": (sheet, states)}, ground=Plane(-1.0)).matter
    broken = {frozenset(ends) for ends in sheet.springs.ends[~states[-1].intact].tolist()}
    assert broken
    for (a, b, c), visible in zip(sheet.triangles.tolist(), drawn.visible[-1], strict=True):
        assert visible == broken.isdisjoint([frozenset((a, b)), frozenset((b, c)), frozenset((c, a))])


def test_a_rope_is_drawn_as_lines():
    line = rope(np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 6), density=0.1, stretch=100.0, pins=[0])
    (drawn,) = meshes_film("rope", {"rope": (line, [MeshStepper(line).start()])}).matter
    assert len(drawn.triangles) == 0
    assert len(drawn.lines) >= 5


def test_a_torn_rope_is_drawn_as_two():
    line = rope(np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 6), density=0.1, stretch=100.0, tears_at=1.2, pins=[0])
    whole = MeshStepper(line, rule=StepRule("implicit euler", 1e-4)).start()
    torn = MeshStepper(line, rule=StepRule("implicit euler", 1e-4)).advance(
        replace(whole, position=whole.position + np.array([0.0, 0.0, 0.0, 0.1, 0.1, 0.1])[:, None] * [1.0, 0.0, 0.0])
    )
    (drawn,) = meshes_film("rope", {"rope": (line, [whole, torn])}).matter
    np.testing.assert_array_equal(drawn.visible, [[True] * 5, [True, True, False, True, True]])


def test_a_net_is_drawn_as_its_threads_where_that_is_wanted():
    world = World(BALL, ground=NoGround(), timing=Timing(H, H, "rk4"))
    scene = Scene(world, {"net": MeshPart(FAR_SHEET, rule=StepRule("implicit euler", H))})
    states = [scene.start(start(scene.world))]
    (drawn,) = scene_film(scene, states, threads=["net"]).matter
    assert len(drawn.triangles) == 0
    assert len(drawn.lines) == 2 * 3 * 2  # warp and weft of 3 x 3 points, without shear and bend
    with pytest.raises(WorldError, match='did you mean "net"'):
        scene_film(scene, states, threads=["nett"])


def test_meshes_of_different_lengths_are_refused():
    state = MeshStepper(FAR_SHEET).start()
    with pytest.raises(WorldError, match="give all the same number"):
        meshes_film("two", {"a": (FAR_SHEET, [state]), "b": (FAR_SHEET, [state, state])})
