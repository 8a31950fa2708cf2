"""The lessons of the docs can be followed: their blocks of Python run one after the other."""

from pathlib import Path

import pytest
from pages import DOCS, restored, run_page

from gambol.evolve.tasks import TASKS

LESSONS = sorted(path.stem for path in DOCS.glob("learn/*.md") if path.stem != "index")


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.filterwarnings("ignore:lanes? .* had contacts:gambol.integrate.solve.ConvergenceWarning")  # of 1024 worlds
def test_lesson(lesson: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with restored(TASKS):
        assert run_page(f"learn/{lesson}.md")


def test_the_page_of_quantities_runs() -> None:
    assert len(run_page("use/python.md")["seen"]) == 4


def test_the_contact_step_runs() -> None:
    assert run_page("theory/contact-step.md")["after"].time[0] > 0.0
