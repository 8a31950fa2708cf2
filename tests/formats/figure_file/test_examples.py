"""The figure files in the examples and in the manual."""

import re
from pathlib import Path

import pytest

from gambol.creatures.models import initial_state, world_of_model
from gambol.formats import read_figure
from gambol.formats.figure_file import figure_text, parse_figure
from gambol.world import run

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "examples" / "figures").glob("*.toml"))
MANUAL = (ROOT / "docs" / "use" / "figures.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_are_read_and_move(path: Path):
    model = read_figure(path)
    assert parse_figure(figure_text(model), path.name) == model
    world = world_of_model(model)
    if not any(model.figure.can_move(link.index) for link in model.figure.links):
        assert model.matter is not None  # a scene of cloth alone, see tests/matter/scene_file
        return
    film = run(world, initial_state(model, world), 0.1, rate=240.0)
    assert film.signals["status"][-1, 0] == 0.0
    assert film.signals["kinetic"].max() > 1e-4


def test_the_manual_shows_whole_files():
    whole = [block for block in re.findall(r"```toml\n(.*?)```", MANUAL, re.DOTALL) if "format" in block]
    assert whole
    for block in whole:
        model = parse_figure(block, "manual.toml")
        assert model.figure.nv or model.matter


def test_the_manual_names_every_key():
    from gambol.formats.figure_file import schema

    keys = {*schema.FILE_KEYS, *schema.LINK_KEYS, *schema.MASS_KEYS, *schema.PART_KEYS, *schema.ROTATIONS}
    keys |= {*schema.JOINT_NUMBERS, *schema.SPRING_NUMBERS, *schema.MOTOR_NUMBERS}
    assert not [key for key in keys if key not in MANUAL]
