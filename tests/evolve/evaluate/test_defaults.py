"""The settings of a new run from Python are those of the command."""

import pytest

import gambol
from gambol.cli.evolve.request import Request
from gambol.errors import EvolveError
from gambol.evolve import Settings, settings_for


@pytest.mark.parametrize(
    ("task", "body"), [("walk", None), ("natural", None), ("natural", "bird"), ("natural", "free"), ("jump", "free")]
)
def test_python_and_the_command_have_the_same_defaults(task: str, body: str | None):
    assert settings_for(task, body) == Request(task, body).settings()
    assert settings_for(task, body, seed=3, trials=5) == Request(task, body, seed=3, trials=5).settings()


def test_without_words_they_are_the_defaults_of_settings():
    assert gambol.evolve.settings_for() == Settings()


def test_given_options_join_those_of_the_task():
    settings = settings_for("natural", "cat", options={"motor": "servo"}, generations=2)
    assert settings.options == {"motor": "servo", "frequencies": "walk"}
    assert (settings.generations, settings.population) == (2, 64)


def test_unknown_names_are_refused():
    with pytest.raises(EvolveError, match='there is no setting "generation"; did you mean "generations"'):
        settings_for(generation=3)
    with pytest.raises(EvolveError, match="walkk"):
        settings_for("walkk")
