"""The option --control of `gambol run`."""

import pytest

from gambol.cli.figures.controls import read_controls
from gambol.errors import GambolError


def test_controls_are_read_by_name():
    assert read_controls(["left=0.5", "a=b=-1e-3"]) == {"left": 0.5, "a=b": -0.001}


@pytest.mark.parametrize("text", ["left", "left=", "=0.5", "left=much", "left=nan", "left=inf"])
def test_other_texts_are_refused(text):
    with pytest.raises(GambolError, match="is not NAME=VALUE"):
        read_controls([text])


def test_a_name_may_be_given_once():
    with pytest.raises(GambolError, match='"left" is given twice'):
        read_controls(["left=0.5", "left=1"])
