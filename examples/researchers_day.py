"""A researcher's day: a task in a file, three searches over ten seeds, a plot, a run on a cluster, and an exact replay.

It needs `pip install 'gambol[cluster]'`. Each step is a command, which is printed with the time that it takes. The
settings are small, to look at the way; a search worth comparing takes `--population 64 --generations 50 --seconds 8`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from distributed import LocalCluster

OUT = Path("out/researchers_day")
SMALL = "--population 8 --generations 2 --seconds 2 --trials 1"

TASK = '''"""Reach up: a task of my own."""

from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.tasks import Task


def reach(trajectory):
    """The largest height of the trunk above the ground, over that at which it stands."""
    return (trajectory.root_height / trajectory.standing_height).max(axis=0)


task = Task("reach", (WeightedTerm(reach, 1.0), WeightedTerm("tangle", -0.5)), seconds=2.0, settling=0.5)
'''


def gambol(words: str) -> str:
    """Run a command of gambol in the folder, print it with its time, and return what it printed."""
    started = perf_counter()
    paths = os.pathsep.join([str(OUT.resolve()), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "gambol", *words.split()],
        cwd=OUT, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(f"gambol {words}: {perf_counter() - started:.1f} s")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    (OUT / "reaching.py").write_text(TASK)

    table = gambol(f"compare es ga random --seeds 10 --task reaching:task {SMALL}")
    print(table)
    rows = (OUT / "out" / "compare-reaching.task.csv").read_text().splitlines()
    assert len(rows) == 1 + 3 * 10, "a row for each run"
    assert (OUT / "out" / "compare-reaching.task.pdf").stat().st_size > 1000

    sys.path.insert(0, str(OUT.resolve()))  # where the workers of the cluster find the task
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        gambol(f"evolve reaching:task {SMALL} --seed 0 --executor dask:{cluster.scheduler_address}")
    sys.path.pop(0)
    replayed = gambol("replay --allow reaching")
    assert "the same as the stored one, to the last bit" in replayed
    gambol("lineage --allow reaching --films 2")


if __name__ == "__main__":
    main()
