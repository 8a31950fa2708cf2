"""One call evolves creatures, stores them, and continues a stored run."""

from dataclasses import replace

import gambol
from gambol.evolve.runs import Settings

SETTINGS = Settings(population=8, generations=2, seconds=2.0, trials=1)


def test_a_run_is_stored_and_continued(tmp_path):
    path = tmp_path / "evolution.db"
    result = gambol.evolve.run(SETTINGS, path, workers=1)
    assert (result.generations, result.interrupted) == (2, False)
    again = gambol.evolve.run(replace(SETTINGS, generations=3), path, resume=result.run, workers=1)
    assert again.generations == 3
    whole = gambol.evolve.run(replace(SETTINGS, generations=3), tmp_path / "whole.db", workers=1)
    with gambol.evolve.Archive(path) as a, gambol.evolve.Archive(tmp_path / "whole.db") as b:
        assert a.best(again.run, 5) == b.best(whole.run, 5)
