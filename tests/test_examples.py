"""Every example runs and does what its first line says."""

import runpy
from pathlib import Path

import pytest

SLOW = ("engineers_day", "go2_balance", "hills", "net")  # the first two compile long steps, the others run for minutes
EXAMPLES = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else [])
    for path in sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
]


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_example(example: Path) -> None:
    runpy.run_path(str(example), run_name="__main__")
