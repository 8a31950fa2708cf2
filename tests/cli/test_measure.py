"""The command measure, on the film of a walk."""

import json

import pytest
from invoked import invoke
from PIL import Image
from walking_films import MASS, walking_film


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    walking_film().save(tmp_path / "walk.npz")
    return tmp_path


def test_measures_of_a_film_are_printed_and_written(film):
    result = invoke("measure", "walk.npz", "--beside", "dog")
    assert result.exit_code == 0, result.output
    data = json.loads((film / "out" / "walk.measures.json").read_text())
    assert data["gait"] == "walk"
    assert data["beside"] == "dog"
    assert data["mass_kg"] == pytest.approx(MASS)
    assert f"{data['within']} of {data['applicable']} measures are in the range of dog" in result.output
    for row in data["measures"]:
        assert (row["measure"] in result.output) == (row["value"] is not None)
    picture = Image.open(film / "out" / "walk.measures.png").convert("RGB")
    colours = {colour for _, colour in picture.getcolors(1 << 24)}
    assert {(0xCF, 0xE8, 0xD5), (0x1B, 0x7F, 0x4D), (0xC0, 0x39, 0x2B)} <= colours  # band, inside, outside


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("dgo",), 'did you mean "dog"'),
        (("walk.npz", "--beside", "cat"), "--beside"),
        (("walk.npz", "--gait", "trot"), "--gait is for creatures by name"),
        (("walk.npz", "--seconds", "3"), "a film has its own duration"),
        (("dog", "--seconds", "nan"), "--seconds"),
        (("missing.npz",), "missing.npz"),
    ],
)
@pytest.mark.usefixtures("film")
def test_what_cannot_be_measured_is_an_error_before_any_work(words, message):
    result = invoke("measure", *words)
    assert result.exit_code == 2
    assert message in result.output.replace("\n", " ")
