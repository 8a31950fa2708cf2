"""The lessons of the docs can be followed: their blocks of Python run one after the other."""

from pathlib import Path

import numpy as np
import pytest
from pages import DOCS, restored, run_page

from gambol.evolve.tasks import TASKS
from gambol.sensing import SENSORS

LESSONS = sorted(path.stem for path in DOCS.glob("learn/*.md") if path.stem != "index")


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.filterwarnings("ignore:lanes? .* had contacts:gambol.integrate.solve.ConvergenceWarning")  # of 1024 worlds
def test_lesson(lesson: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with restored(TASKS):
        assert run_page(f"learn/{lesson}.md")


def test_the_page_of_quantities_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run_page("use/python.md")
    assert len(names["seen"]) == 4
    assert np.array_equal(names["again"].rows, names["state"].rows)


def test_the_page_of_living_worlds_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run_page("use/live.md")
    assert names["view"].numbers["gravity"] == 1.62
    assert names["state"].time[0] > 0.0


def test_the_page_of_matter_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ball that falls on a rope swings below the rope's fixed end, about as far away as the rope is long."""
    monkeypatch.chdir(tmp_path)
    names = run_page("use/matter.md")
    distance = np.linalg.norm(names["states"][-1].figure.q[0, 4:7] - np.array([0.0, 0.0, 2.0]))
    assert 1.0 < distance < 1.25  # the radius of the ball is 0.1 m, and the rope gives way a little
    assert (tmp_path / "fountain.html").stat().st_size > 100_000


def test_the_contact_step_runs() -> None:
    assert run_page("theory/contact-step.md")["after"].time[0] > 0.0


def test_the_page_of_sensors_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise of worlds differs; the ground carries the block."""
    monkeypatch.chdir(tmp_path)
    with restored(SENSORS):
        names = run_page("use/sensors.md")
    assert np.ptp(names["noisy"].numbers()["sensors"]["acceleration"]["noise"]) == 0.0
    assert "tilt" not in SENSORS


def test_the_page_of_holding_varies_masses_friction_and_delays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCS.parent)
    names = run_page("use/hold.md")
    height = names["film"].position[-1, :, 0, 2]
    assert np.isfinite(height).all()
    assert np.ptp(height) > 0.0
