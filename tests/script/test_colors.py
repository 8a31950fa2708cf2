"""The command color."""

import pytest
from scripts import BALL, PENDULUM, read

from gambol.script.language.lines import ScriptError


def colors(folder, text):
    film = read(folder, text).run(folder, echo=str)
    return {film.link_names[shape.link]: shape.color for shape in film.shapes}


def test_an_object_and_a_body_have_a_colour_and_others_have_none(tmp_path):
    colored_object = PENDULUM.replace("addbody foot", "color foot 1 0 0\naddbody foot")
    assert colors(tmp_path, colored_object + "go 1") == {"foot": "#ff0000", "arm": None}
    assert colors(tmp_path, PENDULUM + "color arm 0 0 1\ngo 1") == {"foot": None, "arm": "#0000ff"}


def test_the_last_colour_is_that_of_the_whole_film(tmp_path):
    script = PENDULUM + "color arm 0 0 1\ngo 2\nalarm 0.003 color arm 0 1 0\ngo 2"
    assert colors(tmp_path, script)["arm"] == "#00ff00"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("color ball 1 2 0", "2 green; give 0 to 1"),
        ("color bal 1 1 0", 'there is no object "bal"; did you mean "ball"'),
    ],
)
def test_a_wrong_colour_is_reported_with_its_line(tmp_path, command, message):
    with pytest.raises(ScriptError, match=f"it.corpus:.*color: .*{message}"):
        read(tmp_path, BALL + command)
