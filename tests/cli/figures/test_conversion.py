"""`gambol convert` of a film: files, notes, walk cycles, and what it refuses."""

from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pygltflib
import pytest
from typer.testing import CliRunner

from gambol.cli import app as command
from gambol.cli.guard import WRONG_INPUT
from gambol.formats import read_figure, read_usd
from gambol.world import Film

TRAPEZE = Path(__file__).parents[3] / "examples" / "figures" / "trapeze.toml"


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A film of two strides of a point that travels, in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    t = np.arange(101) / 100.0
    place = np.stack([0.3 * t, 0.0 * t, 0.1 + 0.01 * np.sin(4.0 * np.pi * t)], axis=-1)
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (101, 1))
    stepping = (np.sin(4.0 * np.pi * t + 0.1) > 0.0).astype(float)
    Film(
        "walker", t, place[:, None, None], turn[:, None, None], ("foot",), (), ("foot",),
        signals={"stepping": stepping[:, None, None]}, parents=(-1,),
    ).save("walk.npz")  # fmt: skip
    return Path("walk.npz")


def converted(*words: str) -> tuple[int, str]:
    """Return the exit code and what was said."""
    result = CliRunner().invoke(command.app, ["convert", *words])
    return result.exit_code, " ".join(result.stderr.split())


def test_a_film_becomes_a_file_of_each_format(film: Path):
    for name in ("walk.glb", "walk.usda", "walk.usdc", "walk.usdz", "walk.bvh", "walk.csv"):
        code, message = converted(str(film), name)
        assert code == 0, message
        assert Path(name).stat().st_size > 200
        assert "leaves out" in message or name == "walk.csv"


def test_a_cycle_is_reported(film: Path):
    code, message = converted(str(film), "cycle.glb", "--cycle", "--rate", "60")
    assert code == 0, message
    assert "0.5 s long" in message
    assert "travels 0.15 m along x" in message
    gltf = pygltflib.GLTF2().load("cycle.glb")
    assert gltf.accessors[gltf.animations[0].samplers[0].input].max == pytest.approx([0.5], abs=1e-6)


def test_several_films_become_clips_named_after_their_files(film: Path):
    whole = Film.load(film)
    whole.between(0.0, 0.4).save("short.npz")
    code, message = converted("walk.npz", "short.npz", "takes.glb")
    assert code == 0, message
    gltf = pygltflib.GLTF2().load("takes.glb")
    assert [clip.name for clip in gltf.animations] == ["walk", "short"]
    lasts = [gltf.accessors[clip.samplers[0].input].max[0] for clip in gltf.animations]
    assert lasts == pytest.approx([1.0, 0.4], abs=1e-6)
    assert len(gltf.nodes) == len(whole.link_names) + 1  # the takes share one figure, below one root


def test_a_figure_becomes_a_body_for_robot_simulators_and_a_tree_of_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In its initial state; beside the figure that our own reader of figure files has."""
    monkeypatch.chdir(tmp_path)
    figure = read_figure(TRAPEZE).figure
    code, message = converted(str(TRAPEZE), "trapeze.usda")
    assert code == 0, message
    again = read_usd("trapeze.usda").figure
    assert {link.name.replace(" ", "_") for link in figure.links} <= {link.name for link in again.links}
    assert again.mass == pytest.approx(figure.mass, rel=1e-6)  # USD has float32
    assert converted(str(TRAPEZE), "trapeze.glb", "--scale", "100")[0] == 0
    nodes = pygltflib.GLTF2().load("trapeze.glb").nodes
    for link in figure.links[1:]:
        assert link.index - 1 in nodes[link.parent_index - 1].children


def test_films_become_a_video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    words = ["run", str(TRAPEZE), "--seconds", "0.4", "--film"]
    assert CliRunner().invoke(command.app, words).exit_code == 0
    options = ("--video-size", "96x64", "--video-quality", "draft", "--video-fps", "10", "--video-speed", "1")
    for name, films, frames in (("one", 1, 5), ("after", 2, 10)):
        layout = ("--video-layout", "after") if films > 1 else ()
        code, message = converted(*films * ["out/trapeze.npz"], f"{name}.mp4", *options, *layout)
        assert code == 0, message
        assert imageio_ffmpeg.count_frames_and_secs(f"{name}.mp4")[0] == pytest.approx(frames, abs=films)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("walk.npz", "walk.glbb"), 'suffix ".glbb" is not known'),
        (("walk.npz", "walk.csv", "--skin"), "CSV files have no option skin"),
        (("walk.npz", "walk.glb", "--rate", "0"), "0.0 frames per second"),
        (("walk.npz", "walk.glb", "--world", "4"), "no world 4"),
        (("walk.npz", "walk.glb", "--skin"), "no shapes to make a skin of"),
        (("wolk.npz", "walk.glb"), 'did you mean "walk.npz"?'),
        (("rod.toml", "rod.xml", "--cycle"), "--cycle is for films"),
        (("rod.toml", "rod.glb", "--rate", "9"), "--rate is for films"),
        (("rod.toml", "rod.mp4"), "gambol run FILE --video rod.mp4"),
        (("rod.toml", "rod.xml", "--video-fps", "9"), "--video-fps is for videos"),
        (("walk.npz", "rod.toml", "walk.glb"), "2 files: only films"),
        (("walk.npz", "walk.npz", "walk.bvh"), "BVH files contain one film; write the 2 films as clips of a .glb"),
        (("walk.npz", "walk.glb", "--camera", "orbit"), "--camera is for videos"),
        (("walk.npz", "walk.mp4", "--skin"), "--skin is not for videos"),
        (("walk.npz", "walk.mp4", "--video-size", "3x3"), "cannot be 3 x 3 pixels large"),
        (("walk.npz", "walk.mp4", "--video-worlds", "4"), 'no world "4"'),
    ],
)
def test_impossible_input_is_refused(film: Path, words: tuple[str, ...], text: str):
    code, message = converted(*words)
    assert code == WRONG_INPUT
    assert text in message
    assert sorted(path.name for path in Path().iterdir()) == ["walk.npz"]


def test_a_run_is_exported_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    words = ["run", str(TRAPEZE), "--seconds", "0.1", "--film", "--export", "takes/swing.glb", "--export", "swing.csv"]
    result = CliRunner().invoke(command.app, words)
    assert result.exit_code == 0, result.output
    assert "takes/swing.glb" in result.stdout
    gltf = pygltflib.GLTF2().load("takes/swing.glb")
    film = Film.load("out/trapeze.npz")
    assert [node.name for node in gltf.nodes[: len(film.link_names)]] == list(film.link_names)
    rows = np.genfromtxt("swing.csv", delimiter=",", names=True, deletechars="")
    assert len(rows) == len(film.time)
    assert "swing.glb: glTF leaves out signals" in " ".join(result.stderr.split())


def test_an_impossible_export_is_refused_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(command.app, ["run", str(TRAPEZE), "--seconds", "1e9", "--export", "swing.fbx"])
    assert result.exit_code == WRONG_INPUT
    assert 'suffix ".fbx" is not known' in " ".join(result.stderr.split())
    assert not list(tmp_path.iterdir())
