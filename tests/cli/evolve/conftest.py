"""Shared by the tests of evolution's commands: an archive with a tiny run, and the command as its user meets it."""

import pytest
from invoked import TINY, invoke

from gambol.cli.evolve import artifacts


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch):
    """No colours, wide lines, and no OpenGL unless a test asks for it."""
    for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(artifacts.opengl, "can_render", lambda: False)


@pytest.fixture(scope="session")
def bred(tmp_path_factory, _programs_of_the_run):
    """A folder with the archive and the files of a tiny run, and the output of the command. Not to be changed."""
    folder = tmp_path_factory.mktemp("bred")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        patch.setattr(artifacts.opengl, "can_render", lambda: False)
        result = invoke("evolve", *TINY, "--seed", "3", "--out", folder)
    assert result.exit_code == 0, result.output
    return folder, result.output


@pytest.fixture
def archive(bred, tmp_path):
    """A copy of the archive of a tiny run."""
    path = tmp_path / "evolve.db"
    path.write_bytes((bred[0] / "evolve.db").read_bytes())
    return path
