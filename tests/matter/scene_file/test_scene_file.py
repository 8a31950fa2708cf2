"""Figure files with cloth, ropes, meshes and emitters: what is read, written back, refused, and simulated."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from invoked import invoke

import gambol
from gambol.errors import GambolError, WorldError
from gambol.matter.forces import Air, SelfTouch
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion import StepRule
from gambol.matter.scene import MeshPart, Scene, load_scene_state, run_scene
from gambol.world import Film

FIGURES = Path(__file__).parents[3] / "examples" / "figures"
HEAD = 'format = "gambol figure 1"\nname = "test"\n'
CLOTH = '[[cloths]]\nname = "sail"\nrows = 4\ncolumns = 5\nspacing = 0.1\n'
ROPE = '[[ropes]]\nname = "line"\nfrom = [0, 0, 1]\nto = [1, 0, 1]\nsegments = 4\ndensity = 0.1\nstretch = 100\n'
EMITTER = '[[emitters]]\nname = "dust"\nrate = 10\nsource = { kind = "point" }\n'
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def scene_of(text, folder):
    path = folder / "test.toml"
    path.write_text(HEAD + text)
    return gambol.make_scene(path)


def test_a_cloth_of_a_file_is_that_of_the_function(tmp_path):
    more = 'origin = [0, 0, 2]\npins = "first row"\nmaterial = { density = 0.3, hinge = 1e-3 }\n'
    more += "step = 0.003\nvelocity = [1, 0, 0]\n"
    scene = scene_of("[air]\nwind = [1, 2, 3]\n" + CLOTH + more, tmp_path)
    part = scene.parts["sail"]
    expected = cloth(4, 5, 0.1, ClothMaterial(0.3, hinge=1e-3), origin=(0, 0, 2), pins=[(0, j) for j in range(5)])
    assert np.array_equal(part.mesh.points, expected.points)
    assert np.array_equal(part.mesh.springs.stiffness, expected.springs.stiffness)
    assert np.array_equal(part.mesh.pins, expected.pins)
    assert part.rule.step == pytest.approx(1.0 / 480.0)  # the control step over the least number of steps
    assert part.surroundings is not None
    assert part.surroundings.air == Air((1.0, 2.0, 3.0))
    assert part.surroundings.ground is None
    state = scene.start()
    assert np.array_equal(state.meshes["sail"].velocity[5:], np.tile([1.0, 0.0, 0.0], (15, 1)))


def test_a_rope_and_a_soft_body_of_a_file(tmp_path):
    (tmp_path / "body.obj").write_text(TETRAHEDRON)
    mesh = '[[meshes]]\nname = "body"\nfile = "body.obj"\nscale = 0.5\n'
    mesh += "position = [0, 0, 3]\ngas = { bulk = 1000 }\ncore = { stiffness = 5 }\n"
    scene = scene_of(ROPE + "pins = [0, -1]\n" + mesh, tmp_path)
    points = [(0.25 * k, 0.0, 1.0) for k in range(5)]
    expected = rope(points, density=0.1, stretch=100.0, pins=[0, 4])
    line, body = scene.parts["line"].mesh, scene.parts["body"].mesh
    assert np.allclose(line.points, expected.points, atol=1e-15)
    assert np.array_equal(line.pins, expected.pins)
    assert body.volume(body.points) == pytest.approx(0.5**3 / 6.0)
    assert len(body.points) == 5
    assert body.points[:4].min(axis=0) == pytest.approx([0.0, 0.0, 3.0])


def test_a_rod_of_a_file_is_twisted(tmp_path):
    mesh = scene_of(ROPE + "bend = 0.01\ntwist = 0.02\nturn = 3.0\n", tmp_path).parts["line"].mesh
    (twist,) = mesh.twists
    assert (twist.stiffness, twist.turn, mesh.pins.tolist()) == (0.02, 3.0, [0, 1, 3, 4])
    with pytest.raises(GambolError, match="twist"):
        scene_of(ROPE + "turn = 3.0\n", tmp_path)


def test_files_are_written_back_equal_and_their_paths_follow(tmp_path):
    (tmp_path / "body.obj").write_text(TETRAHEDRON)
    text = CLOTH + '[[meshes]]\nname = "body"\nfile = "body.obj"\n' + EMITTER
    text += '[[emitters]]\nname = "more"\nrate = 1\nsource = { kind = "mesh", file = "body.obj" }\n'
    (tmp_path / "test.toml").write_text(HEAD + text)
    (tmp_path / "sub").mkdir()
    model = gambol.read_figure(tmp_path / "test.toml")
    gambol.write_figure(model, tmp_path / "sub" / "copy.toml")
    copy = gambol.read_figure(tmp_path / "sub" / "copy.toml")
    assert copy.figure == model.figure
    assert '"../body.obj"' in (tmp_path / "sub" / "copy.toml").read_text()
    gambol.write_figure(copy, tmp_path / "again.toml")
    assert gambol.read_figure(tmp_path / "again.toml") == model
    assert set(gambol.make_scene(copy).parts) == {"sail", "body"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CLOTH + "spring = 1\n", r'test.toml, line 8: .*"spring" is not known'),
        (CLOTH.replace("0.1", "0"), r"test.toml, line 3: .*cloth of 4 x 5 points, 0.0 m apart"),
        (CLOTH + "pins = [[4, 0]]\n", r"no point \(4, 0\)"),
        (CLOTH + 'pins = "top"\n', r'"top" is not allowed'),
        (CLOTH + "material = { density = 0 }\n", "density above 0"),
        (CLOTH + 'method = "implicit"\n', 'did you mean "implicit euler"'),
        (
            CLOTH + 'method = "rk4"\nstep = 0.004\n',
            r'too long for the method "rk4" and "sail".*give 0\.0\d+ s or',
        ),
        (CLOTH + 'method = "rk4"\noptions = { iterations = 2 }\n', "has no options"),
        (CLOTH + 'held = [{ link = "stag", points = [[0, 0]] }]\n', 'holds to link "stag".*"stage"'),
        (CLOTH + 'held = [{ link = "stage", points = [[0, 9]] }]\n', r"point \[0, 9\] of a cloth of 4 x 5"),
        (CLOTH + 'touches = ["foot"]\n', 'cannot touch link "foot"'),
        (CLOTH + CLOTH, 'another mesh has the name "sail"'),
        (ROPE.replace("segments = 4", "segments = 0"), "segments is 0"),
        (ROPE.replace("to = [1, 0, 1]", "to = [0, 0, 1]"), "points 0 and 1 of the rope coincide"),
        (ROPE + "pins = [7]\n", "point 7, but points are 0 to 4"),
        (ROPE.replace("density = 0.1", "density = 0"), "density of 0.0 is impossible"),
        ('[[meshes]]\nname = "hole"\nfile = "open.obj"\ngas = { bulk = 1 }\n', "has a hole"),
        ('[[meshes]]\nname = "flat"\nfile = "flat.obj"\n', "no area"),
        ('[[meshes]]\nname = "no"\nfile = "missing.obj"\n', "missing.obj"),
        (EMITTER.replace("rate = 10\n", ""), "emits nothing"),
        (EMITTER + EMITTER, 'another emitter has the name "dust"'),
        (EMITTER + 'at_touch = { emitter = "dusk", count = 2 }\n', 'children of "dusk"'),
        (EMITTER + 'on = [{ event = "tear", of = ["sail"] }]\n', 'names "sail"'),
        (EMITTER + 'on = [{ event = "rip" }]\n', 'no events of kind "rip"'),
        (EMITTER + "speed = [1, 2, 3]\n", "mean and a half width"),
        (EMITTER + 'colors = [[0, "blue", 1]]\n', "blue"),
        ('[[fields]]\nkind = "vortex"\n', "no \\[\\[emitters\\]\\]"),
        (EMITTER + '[[fields]]\nkind = "vortex"\ncore = 0\n', "core of a vortex"),
        (EMITTER + "[air]\ndensity = -1\n", "density, drag and lift must be 0 or more"),
        ("[air]\nwind = 2020-01-01\n", "line 4: air.wind is datetime.date.* finite number"),
        (CLOTH + "material = { tears_at = nan }\n", "line 8: cloths.1.material.tears_at is nan"),
        (CLOTH + 'material = { "a b" = 1 }\n', "keys have letters, digits"),
        (CLOTH + "held = [{ points = [0] }, 3]\n", "has tables and other values"),
        (CLOTH + f"pins = {'[' * 20}{']' * 20}\n", "finite number"),
        (CLOTH + '[[meshes]]\nname = "body"\nfile = 3\n', "line 10: meshes.1.file is 3; .* text"),
        ("[[cloths]]\n", '"name" is missing'),
        ("cloths = 3\n", "list in brackets"),
    ],
)
def test_errors_name_their_place(text, message, tmp_path):
    (tmp_path / "open.obj").write_text(TETRAHEDRON.rpartition("f")[0])
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    with pytest.raises(GambolError, match=message):
        scene_of(text, tmp_path).start()


def test_the_manuals_curtain_tears_and_continues_from_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    manual = (FIGURES.parents[1] / "docs" / "use" / "figures.md").read_text(encoding="utf-8")
    (text,) = [block for block in re.findall(r"```toml\n(.*?)```", manual, re.DOTALL) if "[[cloths]]" in block]
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", manual, re.DOTALL) if "curtain.toml" in block]
    (tmp_path / "curtain.toml").write_text(text)
    names = {}
    exec(code, names)  # the manual's own
    torn = int((~names["state"].meshes["curtain"].intact).sum())
    assert torn > 0
    assert names["state"].particles.born == 4 * torn
    scene = names["scene"]
    once = run_scene(scene, scene.start(), 0.3)[1]
    assert np.array_equal(once.meshes["curtain"].position, names["state"].meshes["curtain"].position)
    assert np.array_equal(once.particles.rows, names["state"].particles.rows)


def test_a_file_without_matter_has_no_scene():
    with pytest.raises(WorldError, match="no cloths, ropes"):
        gambol.make_scene(FIGURES / "trapeze.toml")


def test_the_command_runs_a_scene_and_its_state_continues_from_a_file(tmp_path):
    result = invoke("run", FIGURES / "flag.toml", "--seconds", "0.1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    film = Film.load(tmp_path / "flag.npz")
    assert [each.name for each in film.matter] == ["flag", "string", "drops"]
    assert (tmp_path / "flag.html").stat().st_size > 100_000
    matter = json.loads((tmp_path / "flag.json").read_text())["matter"]
    assert matter["flag"]["points"] == 117
    assert matter["particles_born"] == 30
    scene = gambol.make_scene(FIGURES / "flag.toml")
    _, middle = run_scene(scene, scene.start(), 0.05)
    middle.save(tmp_path / "middle.npz")
    _, last = run_scene(scene, load_scene_state(tmp_path / "middle.npz", scene), 0.05)
    assert np.array_equal(film.matter[0].points[-1], last.meshes["flag"].position.astype(np.float32))
    assert last.particles is not None
    drops = last.particles.position[last.particles.kind == 0]
    assert np.array_equal(film.matter[2].points[film.matter[2].frame(len(film.time) - 1)], drops.astype(np.float32))


@pytest.mark.parametrize("option", [("--lanes", "2"), ("--precision", "float32")])
def test_options_that_a_scene_does_not_have_are_refused(option, tmp_path):
    result = invoke("run", FIGURES / "flag.toml", *option, "--out", tmp_path)
    assert result.exit_code != 0
    assert option[0] in result.output


def test_a_scene_of_a_file_is_one_of_python(tmp_path):
    text = '[[links]]\nname = "ball"\njoint = { kind = "free" }\nparts = [{ shape = "sphere", radius = 0.05 }]\n' + ROPE
    scene = scene_of(text + 'touches = []\nheld = [{ link = "ball", points = [4] }]\n', tmp_path)
    mesh, world = scene.parts["line"].mesh, scene.world
    same = Scene(world, {"line": MeshPart(mesh, None, StepRule(step=1.0 / 240.0), scene.parts["line"].tethers, ())})
    a, b = (run_scene(each, each.start(), 0.1)[1] for each in (scene, same))
    assert np.array_equal(a.figure.rows, b.figure.rows)
    assert np.array_equal(a.meshes["line"].position, b.meshes["line"].position)


def test_no_other_format_holds_matter(tmp_path):
    model = gambol.read_figure(FIGURES / "trampoline.toml")
    for name in ("a.urdf", "a.xml"):
        with pytest.raises(GambolError, match="cloth, ropes, meshes or particles"):
            gambol.formats.write_model(model, tmp_path / name)


BALL = '[[links]]\nname = "ball"\njoint = { kind = "free" }\nparts = [{ shape = "sphere", radius = 0.05 }]\n'


def test_files_with_matter_are_combined_with_new_names(tmp_path):
    (tmp_path / "body.obj").write_text(TETRAHEDRON)
    text = "[air]\nwind = [1, 0, 0]\n" + BALL + ROPE + 'touches = ["ball"]\nheld = [{ link = "ball", points = [4] }]\n'
    text += EMITTER.replace("rate = 10\n", "") + 'link = "ball"\nrate = 100\n'
    text += 'at_death = { emitter = "dust", count = 1 }\n'
    text += 'on = [{ event = "tear", of = ["line"] }, { event = "contact", of = ["ball"] }]\n'
    (tmp_path / "one.toml").write_text(HEAD + text)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "two.toml").write_text(HEAD + '[[meshes]]\nname = "body"\nfile = "../body.obj"\n')
    one, two = gambol.read_figure(tmp_path / "one.toml"), gambol.read_figure(tmp_path / "sub" / "two.toml")
    scene = gambol.make_scene(gambol.combine_models("three", {"a": one, "b": one, "c": two}))
    assert list(scene.parts) == ["a/line", "b/line", "c/body"]
    part = scene.parts["b/line"]
    assert part.touches == ("b/ball",)
    assert part.tethers[0].link == "b/ball"
    assert scene.particles is not None
    emitter = scene.particles.emitters["b/dust"]
    assert emitter.link == "b/ball"
    assert emitter.children_at_death == ("b/dust", 1)
    assert [event.names for event in scene.events[2:]] == [("b/line",), ("b/ball",)]
    alone = gambol.make_scene(one)
    _, last = run_scene(alone, alone.start(), 0.05)
    _, both = run_scene(scene, scene.start(), 0.05)
    assert both.particles is not None
    assert last.particles is not None
    assert both.particles.born == 2 * last.particles.born > 0


def test_meshes_of_a_file_that_touch_each_other_keep_doing_so_where_files_are_combined(tmp_path):
    law = "self_touch = { diameter = 0.01, stiffness = 40, surfaces = true }\n"
    other = CLOTH.replace("sail", "flag") + "origin = [0, 0, 0.1]\n" + 'touches_meshes = ["sail"]\n'
    (tmp_path / "two.toml").write_text(HEAD + CLOTH + law + other + law)
    model = gambol.read_figure(tmp_path / "two.toml")
    both = gambol.make_scene(gambol.combine_models("both", {"a": model, "b": model}))
    assert [group.names for group in both.groups.values()] == [("a/sail", "a/flag"), ("b/sail", "b/flag")]
    (group, _) = both.groups.values()
    assert group.whole.surroundings.self_touch == SelfTouch(0.01, 40.0, surfaces=True)


def test_files_with_different_air_are_not_combined(tmp_path):
    models = []
    for wind in (1, 2):
        (tmp_path / "test.toml").write_text(HEAD + f"[air]\nwind = [{wind}, 0, 0]\n" + CLOTH)
        models.append(gambol.read_figure(tmp_path / "test.toml"))
    with pytest.raises(GambolError, match=r"different \[air\]"):
        gambol.combine_models("two", models)
